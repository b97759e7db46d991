package stdlib

import (
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/printf"
)

const (
	conversionCost    = 50 // in instructions
	tableCost         = 250
	longestConversion = 32 // bytes of what one conversion makes, at most
)

// farthest is the last second whose year C's struct tm can hold.
const farthest = 67768036191676799

func (l *osLibrary) date(L *lua.LState) int {
	layout := "%c"
	if L.Get(1) != lua.LNil {
		layout = l.text(L, 1)
	}
	second := l.now().Unix()
	if L.Get(2) != lua.LNil {
		second = printf.Int64(l.number(L, 2))
	}
	if second > farthest || second < -farthest {
		L.Push(lua.LNil)
		return 1
	}
	moment := time.Unix(second, 0).UTC()
	layout, named := strings.CutPrefix(layout, "!") // everything is UTC here: only the zone has another name
	if named {
		moment = moment.In(greenwich)
	}
	if layout == "*t" {
		l.state.Charge(tableCost)
		L.Push(dateTable(L, moment))
		return 1
	}
	conversions := strings.Count(layout, "%")
	l.state.Charge(int64(conversions) * conversionCost)
	l.state.ChargeString(len(layout) + conversions*longestConversion)
	return l.result(L, formatDate(nil, layout, moment))
}

func dateTable(L *lua.LState, moment time.Time) *lua.LTable {
	t := L.CreateTable(0, 9)
	set := func(name string, value int) { t.RawSetString(name, lua.LNumber(value)) }
	set("sec", moment.Second())
	set("min", moment.Minute())
	set("hour", moment.Hour())
	set("day", moment.Day())
	set("month", int(moment.Month()))
	set("year", moment.Year())
	set("wday", int(moment.Weekday())+1)
	set("yday", moment.YearDay())
	t.RawSetString("isdst", lua.LFalse)
	return t
}

// formatDate is C's strftime, one conversion at a time as Lua calls it; an unknown one stays as it is.
func formatDate(out []byte, layout string, moment time.Time) []byte {
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' || i+1 == len(layout) {
			out = append(out, layout[i])
			continue
		}
		i++
		out = dateConversion(out, layout[i], moment)
	}
	return out
}

// dateAliases are the conversions that stand for several.
var dateAliases = map[byte]string{
	'c': "%a %b %e %H:%M:%S %Y",
	'D': "%m/%d/%y",
	'F': "%Y-%m-%d",
	'r': "%I:%M:%S %p",
	'R': "%H:%M",
	'T': "%H:%M:%S",
	'x': "%m/%d/%y",
	'X': "%H:%M:%S",
}

func dateConversion(out []byte, letter byte, moment time.Time) []byte {
	if layout, ok := dateAliases[letter]; ok {
		return formatDate(out, layout, moment)
	}
	two := func(n int) []byte { return printf.Spec{Zero: true, Width: 2}.Signed(out, int64(n)) }
	blank := func(n int) []byte { return printf.Spec{Width: 2}.Signed(out, int64(n)) }
	hour12 := (moment.Hour()+11)%12 + 1
	isoYear, isoWeek := moment.ISOWeek()
	switch letter {
	case 'a':
		return append(out, moment.Weekday().String()[:3]...)
	case 'A':
		return append(out, moment.Weekday().String()...)
	case 'b', 'h':
		return append(out, moment.Month().String()[:3]...)
	case 'B':
		return append(out, moment.Month().String()...)
	case 'C':
		return two(floorDivide(moment.Year(), 100))
	case 'd':
		return two(moment.Day())
	case 'e':
		return blank(moment.Day())
	case 'g':
		return two(floorModulo(isoYear, 100))
	case 'G':
		return printf.Spec{}.Signed(out, int64(isoYear))
	case 'H':
		return two(moment.Hour())
	case 'I':
		return two(hour12)
	case 'j':
		return printf.Spec{Zero: true, Width: 3}.Signed(out, int64(moment.YearDay()))
	case 'k':
		return blank(moment.Hour())
	case 'l':
		return blank(hour12)
	case 'm':
		return two(int(moment.Month()))
	case 'M':
		return two(moment.Minute())
	case 'n':
		return append(out, '\n')
	case 'p':
		return append(out, moment.Format("PM")...)
	case 'P':
		return append(out, moment.Format("pm")...)
	case 's':
		return printf.Spec{}.Signed(out, moment.Unix())
	case 'S':
		return two(moment.Second())
	case 't':
		return append(out, '\t')
	case 'u':
		return printf.Spec{}.Signed(out, int64(moment.Weekday()+6)%7+1)
	case 'U':
		return two((moment.YearDay() + 6 - int(moment.Weekday())) / 7)
	case 'V':
		return two(isoWeek)
	case 'w':
		return printf.Spec{}.Signed(out, int64(moment.Weekday()))
	case 'W':
		return two((moment.YearDay() + 6 - int(moment.Weekday()+6)%7) / 7)
	case 'y':
		return two(floorModulo(moment.Year(), 100))
	case 'Y':
		return printf.Spec{}.Signed(out, int64(moment.Year()))
	case 'z':
		return moment.AppendFormat(out, "-0700")
	case 'Z':
		name, _ := moment.Zone()
		return append(out, name...)
	case '%':
		return append(out, '%')
	}
	return append(out, '%', letter)
}

// greenwich is the time zone that C has for "!".
var greenwich = time.FixedZone("GMT", 0)

func floorModulo(a, b int) int { return (a%b + b) % b }

func floorDivide(a, b int) int { return (a - floorModulo(a, b)) / b }
