//--local_size=*,1,1 --num_groups=*,1,1
__kernel void vector_add_size(__global const float *a, __global const float *b, __global float *c, ulong n) {
    size_t i = get_global_id(0);
    if (i < n)
        c[«i¦i & ~1ul¦i % 64»] = a[i] + b[i];
}
