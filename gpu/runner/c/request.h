// What the runners for OpenCL and CUDA share: the request, files, and the answer.
//
// A request is a file of lines, KEY VALUE, in this order of meaning:
//
//   source PATH    the text of the program            kernel NAME    as the source has it
//   option TEXT    for the compiler, one a line       device NAME    part of the name; "" for the first
//   block X Y Z    threads of a block                 grid X Y Z     blocks
//   dynamic N      bytes of shared memory that the host adds
//   buffer N       an argument in global memory, of N bytes, with
//   in PATH          its first content, and
//   out PATH         where its content is written after the first and the last launch (PATH and PATH.last)
//   value HEX      an argument by value, its bytes in the order of memory
//   local N        an argument in local memory, of N bytes
//   warmup N       launches before those that are timed
//   repeat N       launches that are timed
//
// GUARD bytes stand before each buffer and behind it, which no launch may change.
//
// Without a kernel it only asks for the device. The answer is a file with a line of JSON: the device and its times
// in milliseconds, or what failed.
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, GUARD = 1 << 16, PATTERN = 0xA5 };

struct argument {
    char kind; // 'b': buffer, 'v': value, 'l': local
    size_t bytes;
    char *in, *out;
    unsigned char value[16];
    unsigned char *first; // content of in, between its guards
    void *whole;          // of the device: the buffer between its guards
    void *memory;         // the buffer itself, as the kernel gets it
};

struct request {
    char *source, *kernel, *device;
    char *options[MOST];
    int option_count;
    size_t block[3], grid[3], dynamic;
    struct argument arguments[MOST];
    int argument_count;
    int warmup, repeat;
};

// What is known of the device goes into every answer.
static char device_name[256], driver_version[256], runtime_name[256];

static FILE *answer; // a file of its own: kernels may print

static void put_string(const char *s, size_t most)
{
    putc('"', answer);
    for (; *s && most; s++, most--) {
        unsigned char c = *s;
        if (c == '"' || c == '\\')
            fprintf(answer, "\\%c", c);
        else if (c == '\n')
            fprintf(answer, "\\n");
        else if (c < 32 || c > 126)
            putc(' ', answer);
        else
            putc(c, answer);
    }
    putc('"', answer);
}

static void put_device(void)
{
    fprintf(answer, "{\"device\":");
    put_string(device_name, sizeof device_name);
    fprintf(answer, ",\"driver\":");
    put_string(driver_version, sizeof driver_version);
    fprintf(answer, ",\"runtime\":");
    put_string(runtime_name, sizeof runtime_name);
}

// Says what failed, and ends. Nothing that a kernel did can follow.
static void fail(const char *what, const char *why, ...)
{
    char text[4096];
    va_list list;
    va_start(list, why);
    vsnprintf(text, sizeof text, why, list);
    va_end(list);
    put_device();
    fprintf(answer, ",\"failed\":");
    put_string(what, 64);
    fprintf(answer, ",\"why\":");
    put_string(text, sizeof text);
    fprintf(answer, "}\n");
    fclose(answer);
    _Exit(0);
}

static void put_times(const double *times, int n)
{
    put_device();
    fprintf(answer, ",\"times\":[");
    for (int i = 0; i < n; i++)
        fprintf(answer, "%s%.9g", i ? "," : "", times[i]);
    fprintf(answer, "]}\n");
    fclose(answer);
}

static void *room(size_t bytes)
{
    void *p = calloc(bytes + 1, 1);
    if (!p)
        fail("memory", "the host has no room for %zu bytes", bytes);
    return p;
}

// The content of a file, ended by a zero, with room for some bytes before it and behind it.
static unsigned char *content(const char *path, size_t *bytes, size_t around)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail("request", "%s cannot be read", path);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    unsigned char *text = room(size + 2 * around);
    if (fread(text + around, 1, size, f) != (size_t)size)
        fail("request", "%s cannot be read", path);
    fclose(f);
    if (bytes)
        *bytes = size;
    return text;
}

static void write_file(const char *path, const char *end, const void *data, size_t bytes)
{
    char name[4096];
    snprintf(name, sizeof name, "%s%s", path, end);
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f))
        fail("request", "%s cannot be written", name);
}

// Fails if launches have changed what stands before or behind the buffer of an argument, and says where it is nearest.
static void check_guards(const unsigned char *before, const unsigned char *behind, int argument)
{
    for (size_t i = 0; i < GUARD; i++)
        if (behind[i] != PATTERN)
            fail("out of bounds", "a launch changes byte %zu behind the buffer of argument %d; both count from 0", i, argument);
    for (size_t i = 1; i <= GUARD; i++)
        if (before[GUARD - i] != PATTERN)
            fail("out of bounds", "a launch changes the byte that is %zu before the buffer of argument %d, which counts from 0", i, argument);
}

static struct argument *next_argument(struct request *r, char kind)
{
    if (r->argument_count == MOST)
        fail("request", "more than %d arguments", MOST);
    struct argument *a = &r->arguments[r->argument_count++];
    a->kind = kind;
    return a;
}

static void three(const char *text, size_t *to)
{
    if (sscanf(text, "%zu %zu %zu", &to[0], &to[1], &to[2]) != 3)
        fail("request", "three numbers, not %s", text);
}

static struct request read_request(char **argv)
{
    if (!(answer = fopen(argv[2], "w")))
        exit(2);
    struct request r = {.device = "", .block = {1, 1, 1}, .grid = {1, 1, 1}};
    char *text = (char *)content(argv[1], NULL, 0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, ' ');
        if (value)
            *value++ = 0;
        else
            value = "";
        struct argument *last = r.argument_count ? &r.arguments[r.argument_count - 1] : NULL;
        if (!strcmp(line, "source"))
            r.source = value;
        else if (!strcmp(line, "kernel"))
            r.kernel = value;
        else if (!strcmp(line, "device"))
            r.device = value;
        else if (!strcmp(line, "option") && r.option_count < MOST)
            r.options[r.option_count++] = value;
        else if (!strcmp(line, "block"))
            three(value, r.block);
        else if (!strcmp(line, "grid"))
            three(value, r.grid);
        else if (!strcmp(line, "dynamic"))
            r.dynamic = strtoull(value, NULL, 10);
        else if (!strcmp(line, "buffer"))
            next_argument(&r, 'b')->bytes = strtoull(value, NULL, 10);
        else if (!strcmp(line, "local"))
            next_argument(&r, 'l')->bytes = strtoull(value, NULL, 10);
        else if (!strcmp(line, "in") && last)
            last->in = value;
        else if (!strcmp(line, "out") && last)
            last->out = value;
        else if (!strcmp(line, "value")) {
            struct argument *a = next_argument(&r, 'v');
            for (unsigned byte; a->bytes < sizeof a->value && sscanf(value, "%2x", &byte) == 1; value += 2)
                a->value[a->bytes++] = byte;
        } else if (!strcmp(line, "warmup"))
            r.warmup = atoi(value);
        else if (!strcmp(line, "repeat"))
            r.repeat = atoi(value);
        else
            fail("request", "unknown line %s", line);
    }
    for (int i = 0; i < r.argument_count; i++) {
        struct argument *a = &r.arguments[i];
        if (a->kind != 'b')
            continue;
        size_t bytes = 0;
        a->first = content(a->in, &bytes, GUARD);
        if (bytes != a->bytes)
            fail("request", "%s has %zu bytes, and not %zu", a->in, bytes, a->bytes);
        memset(a->first, PATTERN, GUARD);
        memset(a->first + GUARD + bytes, PATTERN, GUARD);
    }
    return r;
}

// Opens the first of some libraries that the system has.
static void *library(const char *const *names, const char *install)
{
    for (; *names; names++) {
        void *l = dlopen(*names, RTLD_NOW | RTLD_GLOBAL);
        if (l)
            return l;
    }
    fail("device", "%s", install);
    return NULL;
}

static void *symbol(void *from, const char *name)
{
    void *s = dlsym(from, name);
    if (!s)
        fail("device", "the library has no function %s", name);
    return s;
}

// What a runner does on its device.
struct runtime {
    void (*write)(struct argument *a); // the first content of a buffer, and its guards
    void (*read)(struct argument *a, size_t from, void *to, size_t bytes); // from counts from the guard before it
    double (*launch)(struct request *r); // its time in milliseconds
};

// One launch from the first contents: its time in milliseconds. What no launch is to change is written once.
static double launch_from_first(struct request *r, const struct runtime *on, int begun)
{
    for (int i = 0; i < r->argument_count; i++) {
        struct argument *a = &r->arguments[i];
        if (a->kind == 'b' && (a->out || !begun))
            on->write(a);
    }
    return on->launch(r);
}

// Writes what launches have computed, once their guards are seen to be whole.
static void results(struct request *r, const struct runtime *on, const char *end)
{
    for (int i = 0; i < r->argument_count; i++) {
        struct argument *a = &r->arguments[i];
        if (a->kind != 'b')
            continue;
        static unsigned char before[GUARD], behind[GUARD];
        on->read(a, 0, before, GUARD);
        on->read(a, GUARD + a->bytes, behind, GUARD);
        check_guards(before, behind, i);
        if (!a->out)
            continue;
        void *data = room(a->bytes);
        on->read(a, GUARD, data, a->bytes);
        write_file(a->out, end, data, a->bytes);
        free(data);
    }
}

// Launches the kernel as often as the request says, and answers.
static void measure(struct request *r, const struct runtime *on)
{
    double *times = room((r->repeat + 1) * sizeof *times);
    launch_from_first(r, on, 0);
    results(r, on, "");
    for (int i = 0; i < r->warmup; i++)
        launch_from_first(r, on, 1);
    for (int i = 0; i < r->repeat; i++)
        times[i] = launch_from_first(r, on, 1);
    results(r, on, ".last");
    put_times(times, r->repeat);
}
