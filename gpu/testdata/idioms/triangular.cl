//--local_size=64 --num_groups=1
__kernel void triangular(__local float *m, __global float *x, int n) {
    __requires(n <= 64);
    int t = get_local_id(0);
    for (int k = 0; k < n - 1; k++) {
        if (t > k && t < n)
            m[t * 64 + k] /= m[k * 64 + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t > k && t < n)
            for (int j = k + 1; j < n; j++)
                m[t * 64 + j] -= m[t * 64 + k] * m[«k¦k + 1» * 64 + j];
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    x[get_global_id(0)] = m[t];
}
