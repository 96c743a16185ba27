// Two functions that the static libraries of Swift and GCC take from glibc 2.35. The linker prefers a
// definition in the program, so that the program runs with glibc 2.34 too. Hidden definitions are not
// seen by shared libraries, which keep calling their own.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Swift's overlay of the C library refers to this function; the program does not call it.
//
// The square of a float fits into a double.
HIDDEN float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

// libgcc of GCC 12 and later finds the unwind table of an address with _dl_find_object. Earlier ones used
// dl_iterate_phdr, as this does. glibc declares the macro together with the function; where the structure
// has further members, its own function is used.
#if defined DLFO_EH_SEGMENT_TYPE && !DLFO_STRUCT_HAS_EH_DBASE && !DLFO_STRUCT_HAS_EH_COUNT

struct search {
  ElfW(Addr) address;
  struct dl_find_object *found;
};

static int compare_object(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  ElfW(Addr) start = 0, end = 0, table = 0;
  bool is_inside = false;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    ElfW(Addr) first = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == DLFO_EH_SEGMENT_TYPE) table = first;
    if (segment->p_type != PT_LOAD) continue;
    if (end == 0 || first < start) start = first;
    if (first + segment->p_memsz > end) end = first + segment->p_memsz;
    if (search->address >= first && search->address < first + segment->p_memsz) is_inside = true;
  }
  if (!is_inside) return 0;
  // libgcc reads the table without a check.
  if (table == 0) return -1;
  search->found->dlfo_map_start = (void *)start;
  search->found->dlfo_map_end = (void *)end;
  search->found->dlfo_eh_frame = (void *)table;
  return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *found) {
  memset(found, 0, sizeof *found);
  struct search search = {.address = (ElfW(Addr))address, .found = found};
  return dl_iterate_phdr(compare_object, &search) == 1 ? 0 : -1;
}

#endif
