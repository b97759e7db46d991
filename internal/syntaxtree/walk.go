// Package syntaxtree goes through the syntax trees of gopher-lua's parser, which have no visitor of their own.
package syntaxtree

import "reflect"

// Walk calls visit with every node of a tree, an *ast.… each, or of a list of trees, from the outside inwards; where visit gives
// false it does not go into the node. It works by reflection, so it is for what is done once for a file.
func Walk(tree any, visit func(node any) bool) { walk(reflect.ValueOf(tree), visit) }

func walk(v reflect.Value, visit func(node any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), visit)
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	case reflect.Pointer:
		if !v.IsNil() && visit(v.Interface()) {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), visit)
			}
		}
	}
}
