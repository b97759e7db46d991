package vm

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

func BenchmarkEncodeAll(b *testing.B) {
	v, l := testValues(b)
	for name, expression := range map[string]string{
		"empty": ``, "number": `1`, "string": `"a"`, "record": `{id = 1, name = "widget", tags = {"a", "b"}}`,
	} {
		var values []lua.LValue
		if expression != "" {
			values = append(values, eval(b, l, expression))
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.EncodeAll(values, "input"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeAll(b *testing.B) {
	v, _ := testValues(b)
	for name, text := range map[string]string{
		"empty": `[]`, "number": `[1]`, "string": `["a"]`, "record": `[{"id":1,"name":"widget","tags":["a","b"]}]`,
	} {
		b.Run(name, func(b *testing.B) {
			data := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.DecodeAll(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
