//--local_size=[16,4,1] --num_groups=[*,*,1]
//run block 16,4 grid 2,2 values 20 30
__kernel void turn(__global const float *in, __global float *out, int width, int height) {
    __local float s[16 * 17];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * 16 + lx, y = get_group_id(1) * 16 + ly;
    for (int j = 0; j < 16; j += 4)
        if (x < width && y + j < height) s[(ly + j) * «17¦15» + lx] = in[(y + j) * width + x];
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    x = get_group_id(1) * 16 + lx;
    y = get_group_id(0) * 16 + ly;
    for (int j = 0; j < 16; j += 4)
        if (x < height && y + j < width) out[(y + j) * height + x] = s[lx * 17 + ly + j];
}
