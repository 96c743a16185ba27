// The two ends of the portals of cameras and files, for tests, on the bus of DBUS_SESSION_BUS_ADDRESS.
//
//   portal-service backend ANSWER [URI...]    the person in front of a real xdg-desktop-portal: it
//                                             implements the dialogs (Access, FileChooser) and the
//                                             settings that forbid (Lockdown)
//   portal-service portal CONDUCT [URI...]    a portal with the manners that a test names
//
// With yes, a dialog for files comes to the URIs.
//
// ANSWER: yes, no, dismissed; slow (yes, after half a second); never (keeps the dialog open); crash
// (ends while it is open); nonsense (an answer that no version knows); wrong-uris (URIs of another type);
// no-uris (none at all); lockdown (no dialog, the camera is forbidden).
// It prints "ready", and a line "APP|WINDOW|TITLE" for each dialog; "closed" when one is taken back. For
// a dialog for files the line goes on with "|FOLDER|LABEL|MULTIPLE|FILTERS", the last two in figures.
//
// CONDUCT: yes, no, dismissed (Response 0, 1, 2); early (before the call is answered); other-handle (a
// request that it names itself); forged (another connection says yes, the portal no); silent,
// silent-call, silent-opening; crash, crash-later, crash-opening; error, forbidden, remote-refused;
// odd-code, wrong-types, wrong-reply, no-descriptor, wrong-uris, no-uris, mixed-uris (answers that no
// version gives); thousands, flood, long (1500 files, too many, one with a URI of 100 kB); no-camera (it
// sees none); options (prints "FOLDER|LABEL|MULTIPLE|FILTERS" once it is asked); registry (it takes
// identifiers of programs). It prints "ready", and "asked", "closed" and "opened" as it is called.
// It ends when its bus does. Exit status: 1 when it could not begin; standard error then says why.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define OBJECT "/org/freedesktop/portal/desktop"
#define UNPRIVILEGED SD_BUS_VTABLE_UNPRIVILEGED

static const char *conduct;
static char **uris;
static sd_bus_message *open_dialog;

static int is(const char *word) { return strcmp(conduct, word) == 0; }

static void say(const char *line) {
  puts(line);
  fflush(stdout);
}

// MARK: Files

static int append_uri(sd_bus_message *message, const char *uri) {
  return sd_bus_message_append_basic(message, 's', uri);
}

/// The URIs of the conduct, or else those that the test names.
static int append_list(sd_bus_message *message) {
  int result = sd_bus_message_open_container(message, 'a', "s");
  int made = is("thousands") ? 1500 : is("flood") ? 70000 : 0;
  char uri[64];
  for (int number = 0; result >= 0 && number < made; number++) {
    snprintf(uri, sizeof uri, "file:///pictures/%d.png", number);
    result = append_uri(message, uri);
  }
  if (result >= 0 && is("long")) {
    static char large[100001];
    memset(large, 'a', sizeof large - 1);
    memcpy(large, "file:///", 8);
    result = append_uri(message, large);
  }
  for (char **next = uris; result >= 0 && *next; next++) result = append_uri(message, *next);
  return result < 0 ? result : sd_bus_message_close_container(message);
}

/// The results of a dialog: none, or the URIs in a variant.
static int append_results(sd_bus_message *message, int with_uris) {
  int result = sd_bus_message_open_container(message, 'a', "{sv}");
  if (result >= 0 && with_uris && is("wrong-uris"))
    result = sd_bus_message_append(message, "{sv}", "uris", "s", "file:///etc/passwd");
  else if (result >= 0 && with_uris && is("mixed-uris"))
    result = sd_bus_message_append(message, "{sv}", "uris", "a(us)", 1, 7, "file:///etc/passwd");
  else if (result >= 0 && with_uris && !is("no-uris")) {
    if ((result = sd_bus_message_open_container(message, 'e', "sv")) >= 0 &&
        (result = sd_bus_message_append_basic(message, 's', "uris")) >= 0 &&
        (result = sd_bus_message_open_container(message, 'v', "as")) >= 0 &&
        (result = append_list(message)) >= 0 &&
        (result = sd_bus_message_close_container(message)) >= 0)
      result = sd_bus_message_close_container(message);
  }
  return result < 0 ? result : sd_bus_message_close_container(message);
}

/// What the options of a dialog for files say.
struct options {
  const char *token;
  const char *folder;
  const char *label;
  int multiple;
  int filters;
};

static int count_filters(sd_bus_message *message) {
  int count = 0;
  int result = sd_bus_message_enter_container(message, 'v', "a(sa(us))");
  if (result > 0) result = sd_bus_message_enter_container(message, 'a', "(sa(us))");
  if (result <= 0) return result;
  while ((result = sd_bus_message_skip(message, "(sa(us))")) > 0 || result == 0) {
    count++;
    if (sd_bus_message_at_end(message, 0) > 0) break;
  }
  if (result < 0) return result;
  if ((result = sd_bus_message_exit_container(message)) < 0) return result;
  result = sd_bus_message_exit_container(message);
  return result < 0 ? result : count;
}

static int read_bytes(sd_bus_message *message, const char **bytes) {
  size_t size = 0;
  const void *data = NULL;
  int result = sd_bus_message_enter_container(message, 'v', "ay");
  if (result < 0 || (result = sd_bus_message_read_array(message, 'y', &data, &size)) < 0) return result;
  // The text has to end with its zero, which the length counts.
  *bytes = size > 0 && ((const char *)data)[size - 1] == 0 ? data : "unended";
  return sd_bus_message_exit_container(message);
}

static int read_options(sd_bus_message *message, struct options *options) {
  *options = (struct options){.token = "none", .folder = "", .label = ""};
  int result = sd_bus_message_enter_container(message, 'a', "{sv}");
  while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    const char *key;
    if ((result = sd_bus_message_read(message, "s", &key)) < 0) break;
    if (strcmp(key, "handle_token") == 0)
      result = sd_bus_message_read(message, "v", "s", &options->token);
    else if (strcmp(key, "accept_label") == 0)
      result = sd_bus_message_read(message, "v", "s", &options->label);
    else if (strcmp(key, "multiple") == 0)
      result = sd_bus_message_read(message, "v", "b", &options->multiple);
    else if (strcmp(key, "current_folder") == 0)
      result = read_bytes(message, &options->folder);
    else if (strcmp(key, "filters") == 0)
      result = options->filters = count_filters(message);
    else
      result = sd_bus_message_skip(message, "v");
    if (result >= 0) result = sd_bus_message_exit_container(message);
  }
  return result;
}

// MARK: The backend

static int dialog_closed(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  say("closed");
  return sd_bus_reply_method_return(message, NULL);
}

static const sd_bus_vtable request_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Close", "", "", dialog_closed, UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static int dialog(sd_bus_message *message, int is_for_files) {
  const char *handle, *app, *window, *title;
  int result = sd_bus_message_read(message, "osss", &handle, &app, &window, &title);
  struct options options;
  if (result >= 0 && is_for_files) result = read_options(message, &options);
  if (result < 0) return result;
  printf("%s|%s|%s", app, window, title);
  if (is_for_files)
    printf("|%s|%s|%d|%d", options.folder, options.label, options.multiple, options.filters);
  say("");
  if (is("crash")) _exit(1);
  if (is("never")) {
    open_dialog = sd_bus_message_ref(message);
    result = sd_bus_add_object_vtable(sd_bus_message_get_bus(message), NULL, handle,
                                          "org.freedesktop.impl.portal.Request", request_table, NULL);
    return result < 0 ? result : 1;
  }
  if (is("nonsense")) return sd_bus_reply_method_return(message, "s", "perhaps");
  if (is("slow")) usleep(500000);
  unsigned answer = is("no") ? 1 : is("dismissed") ? 2 : 0;
  if (!is_for_files) return sd_bus_reply_method_return(message, "ua{sv}", answer, 0);
  sd_bus_message *reply = NULL;
  if ((result = sd_bus_message_new_method_return(message, &reply)) >= 0 &&
      (result = sd_bus_message_append(reply, "u", answer)) >= 0 &&
      (result = append_results(reply, answer == 0)) >= 0)
    result = sd_bus_send(sd_bus_message_get_bus(message), reply, NULL);
  sd_bus_message_unref(reply);
  return result < 0 ? result : 1;
}

// By hand: sd-bus keeps the properties' hyphens and wrong types from those that it serves by a table.
static int backend_call(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  if (sd_bus_message_is_method_call(message, "org.freedesktop.impl.portal.Access", "AccessDialog") > 0)
    return dialog(message, 0);
  if (sd_bus_message_is_method_call(message, "org.freedesktop.impl.portal.FileChooser", "OpenFile") > 0)
    return dialog(message, 1);
  if (sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "GetAll") <= 0)
    return 0;
  const char *interface;
  int result = sd_bus_message_read(message, "s", &interface);
  if (result < 0) return result;
  if (strcmp(interface, "org.freedesktop.impl.portal.Lockdown") != 0) return 0;
  return sd_bus_reply_method_return(message, "a{sv}", 1, "disable-camera", "b", (int)is("lockdown"));
}

// MARK: A portal of our own

static void respond_with_files(sd_bus *bus, const char *handle) {
  sd_bus_message *signal = NULL;
  if (sd_bus_message_new_signal(bus, &signal, handle, "org.freedesktop.portal.Request", "Response") < 0 ||
      sd_bus_message_append(signal, "u", 0u) < 0 || append_results(signal, 1) < 0 ||
      sd_bus_send(bus, signal, NULL) < 0)
    _exit(1);
  sd_bus_message_unref(signal);
}

static void respond(sd_bus *bus, const char *handle, int is_for_files) {
  const char *interface = "org.freedesktop.portal.Request";
  if (is("wrong-types"))
    sd_bus_emit_signal(bus, handle, interface, "Response", "ss", "yes", "please");
  else if (is("odd-code"))
    sd_bus_emit_signal(bus, handle, interface, "Response", "ua{sv}", 77u, 0);
  else if (is_for_files && !is("no") && !is("forged") && !is("dismissed"))
    respond_with_files(bus, handle);
  else
    sd_bus_emit_signal(bus, handle, interface, "Response", "ua{sv}",
                       is("no") || is("forged") ? 1u : is("dismissed") ? 2u : 0u, 0);
}

/// Says yes to the caller in the portal's place, from a connection of its own.
static void forge(const char *caller, const char *handle) {
  sd_bus *other = NULL;
  sd_bus_message *signal = NULL;
  if (sd_bus_open_user(&other) < 0) return;
  if (sd_bus_message_new_signal(other, &signal, handle, "org.freedesktop.portal.Request",
                                "Response") >= 0 &&
      sd_bus_message_append(signal, "ua{sv}", 0u, 0) >= 0 &&
      sd_bus_message_set_destination(signal, caller) >= 0)
    sd_bus_send(other, signal, NULL);
  sd_bus_message_unref(signal);
  sd_bus_flush_close_unref(other);
}

static int closed(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  say("closed");
  return sd_bus_reply_method_return(message, NULL);
}

static const sd_bus_vtable closable_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Close", "", "", closed, UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static int asked(sd_bus_message *message, int is_for_files) {
  sd_bus *bus = sd_bus_message_get_bus(message);
  struct options options;
  int result = is_for_files ? sd_bus_message_skip(message, "ss") : 0;
  if (result >= 0) result = read_options(message, &options);
  if (result < 0) return result;
  say("asked");
  if (is("options")) {
    printf("%s|%s|%d|%d", options.folder, options.label, options.multiple, options.filters);
    say("");
  }
  if (is("crash")) _exit(1);
  if (is("silent-call")) {
    open_dialog = sd_bus_message_ref(message);
    return 1;
  }
  if (is("error"))
    return sd_bus_reply_method_errorf(message, "org.freedesktop.DBus.Error.Failed", "\x1b[31mno");
  if (is("forbidden"))
    return sd_bus_reply_method_errorf(message, "org.freedesktop.portal.Error.NotAllowed", "no");
  char sender[256], handle[1024];
  snprintf(sender, sizeof sender, "%s", sd_bus_message_get_sender(message) + 1);
  for (char *mark = sender; *mark; mark++)
    if (*mark == '.') *mark = '_';
  snprintf(handle, sizeof handle, OBJECT "/request/%s/%s", sender,
           is("other-handle") ? "of_my_own" : options.token);
  sd_bus_add_object_vtable(bus, NULL, handle, "org.freedesktop.portal.Request", closable_table, NULL);
  if (is("early")) respond(bus, handle, is_for_files);
  if (is("wrong-reply"))
    result = sd_bus_reply_method_return(message, "u", 7u);
  else
    result = sd_bus_reply_method_return(message, "o", handle);
  if (result < 0) return result;
  sd_bus_flush(bus);
  if (is("crash-later")) _exit(1);
  if (is("silent") || is("early") || is("wrong-reply")) return 1;
  if (is("forged")) forge(sd_bus_message_get_sender(message), handle);
  respond(bus, handle, is_for_files);
  return 1;
}

static int open_remote(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  say("opened");
  if (is("crash-opening")) _exit(1);
  if (is("no-descriptor")) return sd_bus_reply_method_return(message, "s", "here you are");
  if (is("remote-refused"))
    return sd_bus_reply_method_errorf(message, "org.freedesktop.portal.Error.NotAllowed", "no");
  if (is("silent-opening")) {
    open_dialog = sd_bus_message_ref(message);
    return 1;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  if (write(ends[1], "frame", 5) != 5) _exit(1);
  int result = sd_bus_reply_method_return(message, "h", ends[0]);
  close(ends[0]);
  // The other end stays open, as that of a daemon does.
  return result;
}

// By hand: sd-bus keeps wrong types from what it serves by a table.
static int portal_call(sd_bus_message *message, void *data, sd_bus_error *error) {
  const char *camera = "org.freedesktop.portal.Camera";
  if (sd_bus_message_is_method_call(message, camera, "AccessCamera") > 0)
    return asked(message, 0);
  if (sd_bus_message_is_method_call(message, "org.freedesktop.portal.FileChooser", "OpenFile") > 0)
    return asked(message, 1);
  if (sd_bus_message_is_method_call(message, camera, "OpenPipeWireRemote") > 0)
    return open_remote(message, data, error);
  if (sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0)
    return sd_bus_reply_method_return(message, "v", "b", (int)!is("no-camera"));
  return 0;
}

static int registered(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *app;
  int result = sd_bus_message_read(message, "s", &app);
  if (result < 0) return result;
  printf("registered %s\n", app);
  fflush(stdout);
  return sd_bus_reply_method_return(message, NULL);
}

static const sd_bus_vtable registry_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Register", "sa{sv}", "", registered, UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int main(int count, char **words) {
  if (count < 3) return 1;
  conduct = words[2];
  uris = words + 3;
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  const char *name = "org.freedesktop.portal.Desktop";
  if (strcmp(words[1], "backend") == 0) {
    name = "org.freedesktop.impl.portal.desktop.test";
    if (result >= 0) result = sd_bus_add_object(bus, NULL, OBJECT, backend_call, NULL);
  } else if (result >= 0) {
    result = sd_bus_add_object(bus, NULL, OBJECT, portal_call, NULL);
    if (result >= 0 && is("registry"))
      result = sd_bus_add_object_vtable(bus, NULL, OBJECT, "org.freedesktop.host.portal.Registry",
                                        registry_table, NULL);
  }
  if (result >= 0) result = sd_bus_request_name(bus, name, 0);
  if (result < 0) {
    fprintf(stderr, "portal-service: %s\n", strerror(-result));
    return 1;
  }
  say("ready");
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 0;
}
