package vm

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// instruction is where an error was raised: an instruction of a Lua function, or a Go function that it called.
type instruction struct {
	l      *lua.LState
	dbg    *lua.Debug
	proto  *lua.FunctionProto // nil: no Lua function is on the thread
	pc     int
	direct bool // raised by the instruction itself
}

// explain says a message of gopher-lua as Lua says it, with the names of variables.
func explain(in instruction, text string) string {
	switch {
	case text == "attempt to call a non-function object":
		return in.call()
	case in.proto == nil && !strings.HasPrefix(text, "bad argument #"):
	case strings.HasPrefix(text, "attempt to index a non-table object("):
		kind, _, _ := strings.Cut(text[len("attempt to index a non-table object("):], ")")
		return in.index(kind)
	case strings.HasPrefix(text, "cannot perform "), text == "__unm undefined":
		return in.arithmetic(text)
	case text == "__len undefined":
		return in.operand("get length of", in.b())
	case strings.HasPrefix(text, "attempt to compare "):
		if a, b, ok := strings.Cut(text[len("attempt to compare "):], " with "); ok && a == b {
			return "attempt to compare two " + a + " values"
		}
	case strings.HasPrefix(text, "bad argument #"):
		return in.argument(text)
	}
	if other, ok := messages[text]; ok {
		return other
	}
	return text
}

var messages = map[string]string{
	"for statement init must be a number":  "'for' initial value must be a number",
	"for statement limit must be a number": "'for' limit must be a number",
	"for statement step must be a number":  "'for' step must be a number",
	"registry overflow":                    "stack overflow",
	"too many recursions in gettable":      "loop in gettable",
	"too many recursions in settable":      "loop in settable",
}

func (in instruction) code() uint32 { return in.proto.Code[in.pc] }
func (in instruction) op() int      { return int(in.code() >> 26) }
func (in instruction) a() int       { return int(in.code()>>18) & 0xff }
func (in instruction) b() int       { return int(in.code() & 0x1ff) }
func (in instruction) c() int       { return int(in.code()>>9) & 0x1ff }

// value is what a register or a constant (256 and up) holds.
func (in instruction) value(rk int) lua.LValue {
	if rk >= 256 {
		return in.proto.Constants[rk-256]
	}
	_, v := in.l.GetLocal(in.dbg, rk+1)
	return v
}

// operand is "attempt to <do> local 'x' (a nil value)".
func (in instruction) operand(do string, rk int) string {
	name := ""
	if rk < 256 {
		name = registerName(in.proto, in.pc, rk)
	}
	return "attempt to " + do + " " + prefix(name) + "a " + in.value(rk).Type().String() + " value" + suffix(name)
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + " ("
}

func suffix(name string) string {
	if name == "" {
		return ""
	}
	return ")"
}

func (in instruction) call() string {
	if in.proto == nil {
		return "attempt to call a " + in.l.Get(1).Type().String() + " value"
	}
	if in.direct {
		switch in.op() {
		case lua.OP_CALL, lua.OP_TAILCALL:
			return in.operand("call", in.a())
		case lua.OP_TFORLOOP: // whatever the iterator was called
			return "attempt to call a " + in.value(in.a()).Type().String() + " value"
		}
	}
	return "attempt to call a value that is not a function"
}

func (in instruction) index(kind string) string {
	if in.direct {
		rk := -1
		switch in.op() {
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF:
			rk = in.b()
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
			rk = in.a()
		}
		// Along a chain of __index the value may be another one.
		if rk >= 0 && in.value(rk).Type().String() == kind {
			return in.operand("index", rk)
		}
	}
	return "attempt to index a " + kind + " value"
}

func (in instruction) arithmetic(text string) string {
	if in.direct {
		if b := boundOf(in.proto.DbgSourcePositions[in.pc]); b != noBound {
			return "'for' " + b.String() + " must be a number"
		}
		switch op := in.op(); {
		case op == lua.OP_UNM:
			return in.operand("perform arithmetic on", in.b())
		case op >= lua.OP_ADD && op <= lua.OP_POW:
			if _, ok := ToNumber(in.value(in.b())); ok {
				return in.operand("perform arithmetic on", in.c())
			}
			return in.operand("perform arithmetic on", in.b())
		}
	}
	if kind, ok := strings.CutPrefix(text, "cannot perform concat operation between "); ok {
		return "attempt to concatenate " + kind
	}
	return text
}

// argument is "bad argument #1 to 'insert' (table expected, got no value)".
func (in instruction) argument(text string) string {
	number, rest, ok := strings.Cut(text[len("bad argument #"):], " to ")
	n, err := strconv.Atoi(number)
	name, problem, ok2 := strings.Cut(rest, " (")
	if !ok || !ok2 || err != nil {
		return text
	}
	if n >= in.l.GetTop() { // the message itself is on top
		problem = strings.Replace(problem, ", got nil)", ", got no value)", 1)
	}
	if in.proto == nil {
		name = "?"
	} else if in.op() == lua.OP_CALL && strings.HasPrefix(registerName(in.proto, in.pc, in.a()), "method ") {
		n--
		if n == 0 {
			return "calling '" + name + "' on bad self (" + problem
		}
	}
	if strings.HasPrefix(name, "(") || strings.HasPrefix(name, "<") {
		name = "?"
	}
	return "bad argument #" + strconv.Itoa(n) + " to '" + name + "' (" + problem
}
