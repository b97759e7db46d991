package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/stdlib"
)

// Query asks a function that the script has given to flow.query. Without a name it lists those there are.
func (c *Console) Query(ctx context.Context, id, query string, args []json.RawMessage) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	r, err := c.rebuild(ctx, run)
	defer r.close()
	if err != nil {
		return c.notRebuilt(&run, err)
	}
	if query == "" {
		return c.queries(r)
	}
	payload, err := array(args)
	if err != nil {
		return err
	}
	answer, err := r.Query(query, payload)
	var raised *stdlib.Error
	switch {
	case errors.As(err, &raised):
		return fmt.Errorf("query %s of run %s failed: %s", query, named(&run), progress.Visible(failureText(stdlib.ToFailure(r.State(), raised))))
	case err != nil:
		return fmt.Errorf("query %s of run %s: %w", query, named(&run), err)
	}
	return c.answer(values(answer))
}

func (c *Console) queries(r *rebuilt) error {
	list := r.Queries()
	switch {
	case c.Format == JSON || c.Format == JSONL:
		if list == nil {
			list = []string{}
		}
		return c.document(list)
	case len(list) == 0:
		c.remark("the run answers no queries; a script declares them with flow.query(name, fn)")
	}
	for _, q := range list {
		if err := c.say("%s", progress.Visible(q)); err != nil {
			return err
		}
	}
	return nil
}

// answer writes values as run writes its results: as text a text as it is, anything else as JSON, a line each; as JSON one value.
func (c *Console) answer(list []json.RawMessage) error {
	if c.Format == JSON || c.Format == JSONL {
		switch len(list) {
		case 0:
			return c.say("null")
		case 1:
			return c.say("%s", list[0])
		}
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		return c.say("%s", text)
	}
	for _, v := range list {
		if err := c.say("%s", progress.Visible(valueText(v))); err != nil {
			return err
		}
	}
	return nil
}
