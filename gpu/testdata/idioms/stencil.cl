//--local_size=128 --num_groups=*
#define R 3
__kernel void stencil(__global const int *in, __global int *out, int n) {
    __local int s[128 + 2 * R];
    int g = get_global_id(0), l = get_local_id(0) + R;
    s[l] = in[g + R];
    if (get_local_id(0) < R) {
        s[l - R] = in[g];
        s[l + «128¦127»] = in[g + R + 128];
    }
    «barrier(CLK_LOCAL_MEM_FENCE);¦barrier(CLK_GLOBAL_MEM_FENCE);»
    int sum = 0;
    for (int o = -R; o <= R; o++)
        sum += s[l + o];
    if (g < n)
        out[g] = sum;
}
