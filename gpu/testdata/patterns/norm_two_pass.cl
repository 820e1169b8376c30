//--local_size=[64,1,1] --num_groups=[*,1,1]
//run block 64 grid 3 values 100
__kernel void normalise(__global const float *in, __global float *out, int n) {
    __local float a[64];
    __local float b[64];
    int t = get_local_id(0), row = get_group_id(0);
    float s = 0, q = 0;
    for (int i = t; i < n; i += 64) {
        float v = in[row * n + i];
        s += v;
        q += v * v;
    }
    a[t] = s;
    b[t] = q;
    for (int d = 32; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            a[t] += a[t + d];
            b[t] += b[t + «d¦1»];
        }
    }
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    float mean = a[0] / n, var = b[0] / n - mean * mean;
    for (int i = t; i < n; i += 64) out[row * n + i] = (in[row * n + i] - mean) * rsqrt(var + 0.00001f);
}
