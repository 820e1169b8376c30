// A product of matrices in tiles of local memory.
__kernel void matmul(__global float *out, __global const float *a, __global const float *b, int n)
{
    __local float s[edge][edge], t[edge][edge];
    int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * edge + x, row = get_group_id(1) * edge + y;
    float sum = 0;
    for (int k = 0; k < n; k += edge) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < edge; i++)
            sum += s[y][i] * t[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * n + column] = sum;
}
