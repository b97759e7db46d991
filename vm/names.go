package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// argumentName names argument n of the running Go function, from the code that calls it.
func argumentName(l *lua.LState, n int) string {
	p, position, ok := caller(l)
	if !ok {
		return ""
	}
	in := instruction{proto: p, pc: pcOf(position)}
	if op := in.op(); op != lua.OP_CALL && op != lua.OP_TAILCALL {
		return ""
	}
	return registerName(p, in.pc, in.a()+n)
}

// registerName is "local 'x'", "global 'x'", "field 'x'", "upvalue 'x'" or "method 'x'" for what a register holds when the
// instruction at pc begins; "" if the code does not say.
func registerName(p *lua.FunctionProto, pc, reg int) string {
	if name := localName(p, pc, reg); name != "" {
		return "local '" + name + "'"
	}
	return loadedName(p, pc, reg)
}

// loadedName names what the code before pc has put into a register.
func loadedName(p *lua.FunctionProto, pc, reg int) string {
	set := setter(p, pc, reg)
	if set < 0 {
		return ""
	}
	in := instruction{proto: p, pc: set}
	switch in.op() {
	case lua.OP_MOVE, lua.OP_MOVEN:
		if in.b() < in.a() {
			return registerName(p, set, in.b())
		}
	case lua.OP_GETGLOBAL:
		return named("global", p.Constants[int(in.code()&0x3ffff)])
	case lua.OP_GETUPVAL:
		if name := p.DbgUpvalues[in.b()]; !strings.HasPrefix(name, "(") {
			return "upvalue '" + name + "'"
		}
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		if c := in.c(); c >= 256 {
			return named("field", p.Constants[c-256])
		}
		if key := setter(p, set, in.c()); key >= 0 && in.op() == lua.OP_GETTABLEKS {
			if k := (instruction{proto: p, pc: key}); k.op() == lua.OP_LOADK {
				return named("field", p.Constants[int(k.code()&0x3ffff)])
			}
		}
		return "field '?'"
	case lua.OP_SELF:
		if c := in.c(); c >= 256 && reg == in.a() {
			return named("method", p.Constants[c-256])
		}
	}
	return ""
}

func named(kind string, v lua.LValue) string {
	if name, ok := v.(lua.LString); ok {
		return kind + " '" + string(name) + "'"
	}
	return kind + " '?'"
}

// localName is the variable in a register; temporaries of the rewrite have no name.
func localName(p *lua.FunctionProto, pc, reg int) string {
	for i := scopeOf(p.DbgSourcePositions[pc]); i > 0; {
		v := p.DbgLocals[i-1]
		if v.EndPc == reg && !strings.HasPrefix(v.Name, "(") {
			return v.Name
		}
		if v.EndPc <= reg {
			return ""
		}
		i = v.StartPc
	}
	return ""
}

// setter is the last instruction before pc that sets a register; -1 if there is none, or several paths lead to pc.
func setter(p *lua.FunctionProto, pc, reg int) int {
	set := -1
	for i := pc - 1; i >= 0 && set < 0; i-- {
		in := instruction{proto: p, pc: i}
		a, b := in.a(), in.b()
		switch in.op() {
		case lua.OP_LOADNIL:
			if reg >= a && reg <= b {
				set = i
			}
		case lua.OP_SELF:
			if reg == a || reg == a+1 {
				set = i
			}
		case lua.OP_CALL, lua.OP_VARARG:
			if reg >= a {
				set = i
			}
		case lua.OP_TFORLOOP:
			if reg >= a+3 {
				set = i
			}
		case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_JMP, lua.OP_EQ, lua.OP_LT, lua.OP_LE,
			lua.OP_TEST, lua.OP_TAILCALL, lua.OP_RETURN, lua.OP_SETLIST, lua.OP_CLOSE, lua.OP_NOP, lua.OP_FORPREP, lua.OP_FORLOOP:
		default:
			if reg == a && !captures(p, i) {
				set = i
			}
		}
	}
	for i := range max(set, 0) {
		if in := (instruction{proto: p, pc: i}); in.op() == lua.OP_JMP {
			if target := i + 1 + int(in.code()&0x3ffff) - 131071; target > set && target <= pc {
				return -1
			}
		}
	}
	return set
}

// captures says whether an instruction only says what variable a closure made before it takes.
func captures(p *lua.FunctionProto, pc int) bool {
	in := instruction{proto: p, pc: pc}
	if op := in.op(); in.a() != 0 || op != lua.OP_MOVE && op != lua.OP_GETUPVAL {
		return false
	}
	for i := pc - 1; i >= 0; i-- {
		switch before := (instruction{proto: p, pc: i}); before.op() {
		case lua.OP_MOVE, lua.OP_GETUPVAL:
		case lua.OP_CLOSURE:
			return pc-i <= int(p.FunctionPrototypes[before.code()&0x3ffff].NumUpvalues)
		default:
			return false
		}
	}
	return false
}
