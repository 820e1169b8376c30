//--local_size=*,1,1 --num_groups=*,1,1
__kernel void vector_add(__global const float *a, __global const float *b, __global float *c, int n) {
    int i = get_global_id(0);
    if (i < n)
        c[«i¦i / 2¦n - 1»] = a[i] + b[i];
}
