package flowlua_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/flowlua/flowlua"
)

// scripts stands for a folder: os.DirFS("flows").
var scripts = fstest.MapFS{"order.lua": {Data: []byte(`
local flow = require "flow"
local charge = flow.activity("charge", { start_to_close = "1m", retry = { initial = "1s", max_attempts = 3 } })

flow.workflow("order", function(order)
  flow.status("charging")
  return charge(order.id, order.amount)
end)

flow.workflow("payment", function()
  flow.query("state", function() return "waiting for the customer" end)
  local ok = flow.signal("decision"):await()
  if not ok then error(flow.error("PaymentRefused", "the customer said no", { status = 402 })) end
  return "paid"
end)
`)}}

type Receipt struct {
	Number string `json:"number"`
}

func ExampleOpen() {
	ctx := context.Background()
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: scripts})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)

	err = engine.RegisterActivity("charge", func(ctx context.Context, id string, amount int) (Receipt, error) {
		return Receipt{Number: fmt.Sprintf("%s/%d", id, amount)}, nil
	})
	if err != nil {
		log.Fatal(err)
	}

	order := map[string]any{"id": "order-42", "amount": 120}
	run, err := engine.Start(ctx, "order", order, flowlua.StartOptions{ID: "order-42"})
	if err != nil {
		log.Fatal(err)
	}
	var receipt Receipt
	if err := run.Result(ctx, &receipt); err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Number)
	// Output: order-42/120
}

func ExampleEngine_Signal() {
	ctx := context.Background()
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: scripts})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)

	run, err := engine.Start(ctx, "payment", nil, flowlua.StartOptions{ID: "payment-7"})
	if err != nil {
		log.Fatal(err)
	}
	var state string
	if err := engine.Query(ctx, "payment-7", "state", &state); err != nil {
		log.Fatal(err)
	}
	fmt.Println(state)
	if err := engine.Signal(ctx, "payment-7", "decision", true); err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Result(ctx, &state), state)
	// Output:
	// waiting for the customer
	// <nil> paid
}

func ExampleRun_Result() {
	ctx := context.Background()
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: scripts})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)

	run, err := engine.Start(ctx, "payment", nil, flowlua.StartOptions{ID: "payment-8"})
	if err != nil {
		log.Fatal(err)
	}
	if err := engine.Signal(ctx, run.ID(), "decision", false); err != nil {
		log.Fatal(err)
	}
	var failed *flowlua.Error
	if err := run.Result(ctx); errors.As(err, &failed) {
		fmt.Println(failed.Name, failed.Status, failed.Message)
		fmt.Println(failed.Matches("ClientError"))
	}
	// Output:
	// PaymentRefused 402 the customer said no
	// true
}

func ExampleEngine_List() {
	ctx := context.Background()
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: scripts})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)

	for i := range 3 {
		id := fmt.Sprintf("payment-%d", i)
		run, err := engine.Start(ctx, "payment", nil, flowlua.StartOptions{ID: id})
		if err != nil {
			log.Fatal(err)
		}
		if i == 1 {
			engine.Cancel(ctx, id, "not needed")
			fmt.Println(errors.Is(run.Result(ctx), flowlua.ErrCancelled))
		}
	}
	for info, err := range engine.List(ctx, flowlua.Filter{Status: flowlua.StatusOpen}) {
		fmt.Println(info.ID, info.Status, err)
	}
	// Output:
	// true
	// payment-2 open <nil>
	// payment-0 open <nil>
}

func ExampleHeartbeat() {
	copyFiles := func(ctx context.Context, names []string) (int, error) {
		done := 0
		if _, err := flowlua.HeartbeatDetails(ctx, &done); err != nil { // where the attempt before stopped
			return 0, err
		}
		for ; done < len(names); done++ {
			if err := flowlua.Heartbeat(ctx, done); err != nil {
				return done, err // cancellation was asked for
			}
			// … copy names[done] …
		}
		return done, nil
	}
	engine, err := flowlua.Open(":memory:", flowlua.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine.RegisterActivity("copy", copyFiles))
	// Output: <nil>
}

func ExampleEngine_Recover() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "flowlua")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	open := func() *flowlua.Engine {
		engine, err := flowlua.Open(filepath.Join(folder, "orders.db"), flowlua.Config{Scripts: scripts})
		if err != nil {
			log.Fatal(err)
		}
		return engine
	}

	engine := open()
	if _, err := engine.Start(ctx, "payment", nil, flowlua.StartOptions{ID: "payment-7"}); err != nil {
		log.Fatal(err)
	}
	if err := engine.Close(ctx); err != nil { // or the process dies
		log.Fatal(err)
	}

	engine = open()
	defer engine.Close(ctx)
	// engine.RegisterActivity(…), and then:
	if err := engine.Recover(ctx); err != nil {
		log.Fatal(err)
	}
	if err := engine.Signal(ctx, "payment-7", "decision", true); err != nil {
		log.Fatal(err)
	}
	run, err := engine.Find(ctx, "payment-7")
	if err != nil {
		log.Fatal(err)
	}
	var state string
	if err := run.Result(ctx, &state); err != nil {
		log.Fatal(err)
	}
	fmt.Println(state)
	// Output: paid
}
