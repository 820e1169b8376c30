// Package runner runs configurations of a kernel on the GPU at hand, each in a process of its own, and measures them.
//
// The runner is a C program in c/, built by the compiler of the system when it is needed; it looks for OpenCL, or
// for CUDA's driver and NVRTC, when it runs. So gradine itself needs neither cgo nor headers of vendors.
package runner
