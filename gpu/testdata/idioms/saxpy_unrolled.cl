//--local_size=64 --num_groups=*
__kernel void saxpy_unrolled(__global float *y, __global const float *x, float a) {
    int i = get_group_id(0) * «256¦255» + get_local_id(0);
    for (int k = 0; k < 4; k++)
        y[i + k * «64¦63»] = a * x[i + k * 64] + y[i + k * 64];
}
