__kernel void old(__global int *p) { __requires(get_local_size(0) == 4); p[get_global_id(0)] = 1; }
