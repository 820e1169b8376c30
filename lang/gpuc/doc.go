// Package gpuc reads kernels: a file of OpenCL C or CUDA C is another spelling of
// contexts and machines, as a project of Rodin is one. It is the only package that
// imports modernc.org/cc, and knows nothing of obligations.
package gpuc
