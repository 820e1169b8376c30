// What sources take from the header of an introduction to CUDA.
#pragma once
#include <cstdio>
#include <cstdlib>
#define HANDLE_ERROR(err) (void)(err)
#define HANDLE_NULL(a) (void)(a)
template <typename T> void swap(T &a, T &b) { T t = a; a = b; b = t; }
void *big_random_block(int);
int *big_random_block_int(int);
