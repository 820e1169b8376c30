package clang

import (
	"path/filepath"
	"strings"
)

// Language is that of a source file.
type Language string

// The languages that clang compiles kernels of.
const (
	CUDA   Language = "cuda"
	HIP    Language = "hip"
	OpenCL Language = "opencl"
)

// The languages of hosts that launch kernels of OpenCL, which stand in files of their own.
const (
	CHost   Language = "c"
	CXXHost Language = "c++"
)

// HostLanguageOf is the language of a host of OpenCL, by the ending of its file; "" if it is none.
func HostLanguageOf(name string) Language {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".c":
		return CHost
	case ".cc", ".cpp", ".cxx":
		return CXXHost
	}
	return ""
}

// LanguageOf is the language of a file, by its ending; "" if clang reads no kernels of it.
func LanguageOf(name string) Language {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cu", ".cuh":
		return CUDA
	case ".hip":
		return HIP
	case ".cl":
		return OpenCL
	}
	return ""
}

// fixed are the flags of every run for a language, for one version of clang.
func (l Language) fixed(o Options, c Compiler) []string {
	var out []string
	switch l {
	case CUDA:
		arch := o.Arch
		if arch == "" {
			arch = "sm_80"
		}
		out = []string{"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + arch, "-nocudalib", "-fgpu-rdc", "-cuid=gradine",
			"-Xclang", "-target-feature", "-Xclang", "+ptx75", "-Xclang", "-fcuda-allow-variadic-functions", "--cuda-noopt-device-debug"}
		if o.CUDAPath != "" {
			out = append(out, "--cuda-path="+o.CUDAPath)
		} else {
			out = append(out, "-nocudainc")
		}
	case HIP:
		arch := o.Arch
		if arch == "" {
			arch = "gfx906"
		}
		out = []string{"-x", "hip", "--cuda-device-only", "--offload-arch=" + arch, "-nogpuinc", "-nogpulib", "-fgpu-rdc", "-cuid=gradine", "-Xclang", "-fcuda-allow-variadic-functions"}
	case CHost, CXXHost:
		out = []string{"-x", string(l), "-target", "x86_64-pc-linux-gnu"}
	case OpenCL:
		out = []string{"-x", "cl", "-Xclang", "-cl-ext=+all", "-Xclang", "-finclude-default-header", "-target", "spir64"}
	}
	// Pointers are opaque in the text of every version.
	switch {
	case c.Major == 14:
		out = append(out, "-mllvm", "-opaque-pointers")
	case c.Major == 15:
		out = append(out, "-Xclang", "-opaque-pointers")
	}
	if c.Major >= 16 {
		out = append(out, "--no-default-config")
	}
	return append(out, "-g", "-fdebug-compilation-dir=.", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=0", "-fno-crash-diagnostics", "-Wno-everything")
}

// standards are those of OpenCL C that are tried, where none is asked for.
var standards = []string{"CL1.2", "CL2.0", "CL3.0"}

// standard is the flag for the version of the language: as asked for, or the default.
func (l Language) standard(o Options) string {
	switch {
	case o.Std != "" && l == OpenCL:
		return "-cl-std=" + o.Std
	case o.Std != "":
		return "-std=" + o.Std
	case l == OpenCL:
		return "-cl-std=" + standards[0]
	case l == CHost:
		return "-std=gnu17"
	}
	return "-std=c++17"
}
