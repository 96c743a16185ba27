#pragma once

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <wchar.h>

/// Swift cannot use `stdscr`, `stdout` and `stdin`, which are global variables. Takes the terminal
/// over; false when it cannot show a screen.
static inline bool cscreen_start(void) {
  if (setlocale(LC_CTYPE, "") == NULL) setlocale(LC_CTYPE, "C.UTF-8");
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

/// Writes a line in a row, as far as it fits: what is inserted does not go on in the next row.
static inline void cscreen_write(int row, const char *_Nonnull text) { mvinsstr(row, 0, text); }

/// Moves the cursor behind a line of a row. Swift cannot ask for the columns of a character.
static inline void cscreen_move_behind(int row, const char *_Nonnull text) {
  extern int wcwidth(wchar_t);
  wchar_t wide[256];
  size_t count = mbstowcs(wide, text, 256);
  int column = 0;
  for (size_t index = 0; count != (size_t)-1 && index < count; index++) {
    int width = wcwidth(wide[index]);
    if (width > 0) column += width;
  }
  int columns = getmaxx(stdscr);
  move(row, column < columns ? column : columns - 1);
}

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
static const long cscreen_enter = -KEY_ENTER;
