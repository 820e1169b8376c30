// Package runner runs configurations of a kernel on the local GPU, each in its own process, and
// measures them.
//
// The runner is a C program in c/, which the system's compiler builds on demand. It loads
// OpenCL, or the CUDA driver and NVRTC, at run time. So gradine itself needs neither cgo nor
// vendor headers.
package runner
