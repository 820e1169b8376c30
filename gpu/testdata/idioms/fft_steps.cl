//--local_size=64 --num_groups=*
__kernel void fft_steps(__global float2 *data) {
    __local float2 s[128];
    uint t = get_local_id(0);
    s[t] = data[get_group_id(0) * 128 + t];
    s[t + 64] = data[get_group_id(0) * 128 + t + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half = 1; half < 128; half *= 2) {
        uint k = t % half, i = (t / half) * half * 2 + k, j = i + «half¦1»;
        float2 a = s[i], b = s[j];
        s[i] = a + b;
        s[j] = a - b;
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    data[get_group_id(0) * 128 + t] = s[t];
    data[get_group_id(0) * 128 + t + 64] = s[t + 64];
}
