// Defines two functions that the static libraries of Swift and GCC require from glibc 2.35, so the
// program also runs with glibc 2.34. The linker prefers definitions in the program. The definitions
// are hidden, so shared libraries keep calling those of glibc.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Swift's overlay of the C library refers to this function, but the program does not call it.
//
// A double can hold the square of a float.
HIDDEN float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

// Since GCC 12, libgcc finds the unwind table of an address with _dl_find_object. Earlier versions
// used dl_iterate_phdr, as this function does. glibc declares the macro together with the function.
// If the structure has more members, glibc's own function is used.
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
  // libgcc reads the table without checking the pointer.
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
