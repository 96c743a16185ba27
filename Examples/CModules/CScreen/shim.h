#pragma once

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#include <sys/eventfd.h>

/// Swift cannot use `stdscr`, `stdout` and `stdin`, which are global variables. Takes the terminal
/// over; false when it cannot show a screen.
static inline bool cscreen_start(void) {
  setlocale(LC_CTYPE, "");
  SCREEN *screen = newterm(NULL, stdout, stdin);
  if (screen == NULL) return false;
  cbreak();
  noecho();
  nonl();
  // Escape is a key here: do not wait a second for the rest of a sequence.
  set_escdelay(25);
  keypad(stdscr, true);
  nodelay(stdscr, true);
  return true;
}

/// Writes a line in a row, as far as it fits.
static inline void cscreen_write(int row, const char *_Nonnull text) { mvaddstr(row, 0, text); }

/// The next key that was typed: a character, -1 for none, and -2 and below for keys without one.
static inline long cscreen_key(void) {
  wint_t key = 0;
  switch (get_wch(&key)) {
    case OK: return (long)key;
    case KEY_CODE_YES: return -(long)key;
    default: return -1;
  }
}

// Swift cannot import these macros, which have parentheses and octal numbers.
static const long cscreen_none = -1;
static const long cscreen_down = -KEY_DOWN;
static const long cscreen_up = -KEY_UP;
static const long cscreen_backspace = -KEY_BACKSPACE;
static const long cscreen_backtab = -KEY_BTAB;
static const long cscreen_resize = -KEY_RESIZE;
