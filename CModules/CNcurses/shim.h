#pragma once

// ncurses with wide characters. It is loaded only when a screen is shown, because it would slow
// down the start of every other command.

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_NOPROTOTYPES_SP 1

#include <curses.h>
#include <dlfcn.h>
#include <stdio.h>
#include <term.h>
#include <unistd.h>

// term.h defines macros with common words as names.
#undef columns
#undef lines
#undef buttons
#undef tab
#undef bell

#pragma clang assume_nonnull begin

/// The ncurses functions to load, with the types in its headers.
#define CNCURSES_FUNCTIONS(each) \
  each(newterm)                  \
  each(delscreen)                \
  each(endwin)                   \
  each(cbreak)                   \
  each(noecho)                   \
  each(nonl)                     \
  each(def_prog_mode)            \
  each(reset_prog_mode)          \
  each(newwin)                   \
  each(wresize)                  \
  each(resizeterm)               \
  each(getmaxx)                  \
  each(getmaxy)                  \
  each(clearok)                  \
  each(werase)                   \
  each(wmove)                    \
  each(wclrtoeol)                \
  each(wattr_set)                \
  each(waddnwstr)                \
  each(wrefresh)                 \
  each(curs_set)                 \
  each(keypad)                   \
  each(has_colors)               \
  each(start_color)              \
  each(use_default_colors)       \
  each(init_pair)                \
  each(tigetstr)                 \
  each(tgoto)

#define CNCURSES_POINTER(function) __typeof__(function) *_Nonnull function;

// The members never change.
struct __attribute__((swift_attr("@Sendable"), swift_attr("safe"))) cncurses {
  CNCURSES_FUNCTIONS(CNCURSES_POINTER)
};

#define CNCURSES_ADDRESS(function)      \
  address = dlsym(library, #function);  \
  if (address == NULL) return NULL;     \
  __builtin_memcpy(&table.function, &address, sizeof address);

/// Loads the library and returns its functions, or NULL if the library or a function is missing.
///
/// It must be called only once. The library stays loaded.
static inline const struct cncurses *_Nullable cncurses_load(const char *name) {
  static struct cncurses table;
  void *_Nullable address;
  void *_Nullable library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) return NULL;
  CNCURSES_FUNCTIONS(CNCURSES_ADDRESS)
  return &table;
}

/// Returns a stream on a copy of a descriptor, which `newterm` requires; NULL if there are not
/// enough descriptors or memory.
static inline FILE *_Nullable cncurses_stream(int descriptor, const char *mode) {
  int copy = dup(descriptor);
  if (copy < 0) return NULL;
  FILE *_Nullable stream = fdopen(copy, mode);
  if (stream == NULL) close(copy);
  return stream;
}

// Swift cannot import macros with casts.
static const attr_t cncurses_normal = A_NORMAL;
static const attr_t cncurses_bold = A_BOLD;
static const attr_t cncurses_dim = A_DIM;
static const attr_t cncurses_reverse = A_REVERSE;
static const short cncurses_red = COLOR_RED;
static const short cncurses_green = COLOR_GREEN;
static const short cncurses_yellow = COLOR_YELLOW;

#pragma clang assume_nonnull end
