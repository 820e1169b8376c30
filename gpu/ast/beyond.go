package ast

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Kernels of CUDA are C++, and this reader reads what of it is C: anything else is refused here, and read through clang.

// throughClang says how to get an answer about C++.
const throughClang = "which the C reader does not support; clang does (--reader llvm)"

// notC are words and marks of C++ that C has not.
var notC = regexp.MustCompile(`\b(template|class|namespace|using|typename|operator|concept|decltype|friend|virtual|auto|constexpr|consteval|explicit|private|protected|public|mutable|this|new|delete|try|throw|static_cast|reinterpret_cast|const_cast|dynamic_cast|texture|surface)\b|::`)

// plus is what the parser says at an offset of code, in terms of C++ where it has met that.
func plus(code []byte, at int, said string) string {
	if !strings.HasPrefix(said, "unexpected ") || at < 0 {
		return said
	}
	part := code[1+bytes.LastIndexByte(code[:at], '\n'):]
	if item, ok := preproc.ItemAt(code, at); ok {
		part = code[item.From:item.To]
	}
	if word := notC.Find(part); word != nil {
		return beyondC(string(word))
	}
	return said + "; if it is C++, use clang (--reader llvm)"
}

// beyondC names what is C++.
func beyondC(what string) string { return fmt.Sprintf("C++ (%s), %s", what, throughClang) }
