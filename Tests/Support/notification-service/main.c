// Owns org.freedesktop.Notifications on the bus of DBUS_SESSION_BUS_ADDRESS, and prints what it is
// asked to show: a line for each, "PROGRAM|REPLACES|ICON|SUMMARY|BODY|TIME".
//
//   notification-service [--gtk]
//
// It prints "ready" when it owns the name, and ends when its bus does. Exit status: 1 when it could
// not; standard error then says why.
//
// Whoever calls Invoke(u number, s key) of the interface test.Notifications is the person in front of
// the screen: the service then sends ActivationToken, ActionInvoked and NotificationClosed.
//
// With --gtk it owns org.gtk.Notifications too, whose AddNotification(s program, s id, a{sv}) keeps
// the default action of one notification. Click() is then the person: the service calls the program's
// org.freedesktop.Application.ActivateAction, which starts a program that does not run.
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define PATH "/org/freedesktop/Notifications"
#define NAME "org.freedesktop.Notifications"

static uint32_t last = 0;

static int notify(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *program, *icon, *summary, *body;
  uint32_t replaces;
  int32_t time;
  int result = sd_bus_message_read(message, "susss", &program, &replaces, &icon, &summary, &body);
  if (result >= 0) result = sd_bus_message_skip(message, "asa{sv}");
  if (result >= 0) result = sd_bus_message_read(message, "i", &time);
  if (result < 0) return result;
  printf("%s|%u|%s|%s|%s|%d\n", program, replaces, icon, summary, body, time);
  fflush(stdout);
  return sd_bus_reply_method_return(message, "u", replaces ? replaces : ++last);
}

static int capabilities(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  return sd_bus_reply_method_return(message, "as", 2, "actions", "body-markup");
}

static int invoke(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  sd_bus *bus = sd_bus_message_get_bus(message);
  uint32_t number;
  const char *key;
  int result = sd_bus_message_read(message, "us", &number, &key);
  if (result >= 0) result = sd_bus_emit_signal(bus, PATH, NAME, "ActivationToken", "us", number, "t");
  if (result >= 0) result = sd_bus_emit_signal(bus, PATH, NAME, "ActionInvoked", "us", number, key);
  if (result >= 0)
    result = sd_bus_emit_signal(bus, PATH, NAME, "NotificationClosed", "uu", number, 2u);
  return result < 0 ? result : sd_bus_reply_method_return(message, NULL);
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", notify, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetCapabilities", "", "as", capabilities, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static char program[256], action[256], target[4096];

static int add(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *name, *id, *key, *text;
  int result = sd_bus_message_read(message, "ss", &name, &id);
  if (result >= 0) result = sd_bus_message_enter_container(message, 'a', "{sv}");
  snprintf(program, sizeof program, "%s", name);
  action[0] = target[0] = 0;
  while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    result = sd_bus_message_read(message, "s", &key);
    if (result >= 0 && strncmp(key, "default-action", 14) == 0) {
      result = sd_bus_message_read(message, "v", "s", &text);
      if (result < 0) break;
      if (key[14] == 0) snprintf(action, sizeof action, "%s", text);
      else snprintf(target, sizeof target, "%s", text);
    } else if (result >= 0) {
      result = sd_bus_message_skip(message, "v");
    }
    if (result >= 0) result = sd_bus_message_exit_container(message);
  }
  return result < 0 ? result : sd_bus_reply_method_return(message, NULL);
}

static int click(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  char path[260] = "/";
  strcat(path, program);
  for (char *mark = path; *mark; mark++)
    if (*mark == '.') *mark = '/';
  // Behind "app.", which says that the action is the program's.
  int result = sd_bus_call_method_async(
      sd_bus_message_get_bus(message), NULL, program, path, "org.freedesktop.Application",
      "ActivateAction", NULL, NULL, "sava{sv}", action + 4, 1, "s", target, 1, "activation-token",
      "s", "t");
  return result < 0 ? result : sd_bus_reply_method_return(message, NULL);
}

static const sd_bus_vtable gtk_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("AddNotification", "ssa{sv}", "", add, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable test_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Invoke", "us", "", invoke, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Click", "", "", click, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int main(int count, char **words) {
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  if (result >= 0) result = sd_bus_add_object_vtable(bus, NULL, PATH, NAME, table, NULL);
  if (result >= 0)
    result = sd_bus_add_object_vtable(bus, NULL, PATH, "test.Notifications", test_table, NULL);
  if (result >= 0 && count > 1 && strcmp(words[1], "--gtk") == 0) {
    result = sd_bus_add_object_vtable(bus, NULL, "/org/gtk/Notifications", "org.gtk.Notifications",
                                      gtk_table, NULL);
    if (result >= 0) result = sd_bus_request_name(bus, "org.gtk.Notifications", 0);
  }
  if (result >= 0) result = sd_bus_request_name(bus, NAME, 0);
  if (result < 0) {
    fprintf(stderr, "notification-service: %s\n", strerror(-result));
    return 1;
  }
  puts("ready");
  fflush(stdout);
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 0;
}
