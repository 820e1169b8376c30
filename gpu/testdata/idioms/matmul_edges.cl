//--local_size=[16,16] --num_groups=[*,*]
#define T 16
__kernel void matmul_edges(__global const float *a, __global const float *b, __global float *c, int m, int n, int k) {
    __local float s[T * T], u[T * T];
    int lx = get_local_id(0), ly = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < (k + T - 1) / T; t++) {
        s[ly * T + lx] = row < m && t * T + lx < k ? a[row * k + t * T + lx] : 0;
        u[ly * T + lx] = col < n && t * T + ly < k ? b[(t * T + ly) * n + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; i++)
            sum += s[ly * T + i] * u[i * T + lx];
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    if (row < m && «col < n¦col <= n»)
        c[row * n + col] = sum;
}
