#pragma once
// The functions of libumockdev that the test bed uses, declared here so the GLib headers are not
// needed. The caller owns the results of `_new`, `_get_root_dir` and `_add_devicev`, and must
// release them with `g_object_unref` and `g_free`. On misuse, the functions abort instead of
// returning an error, except for `_add_from_string`.

typedef struct _UMockdevTestbed UMockdevTestbed;

/// The layout of GLib's `GError`, which the receiver must free.
typedef struct _GError {
  unsigned int domain;
  int code;
  char *message;
} GError;

extern UMockdevTestbed *umockdev_testbed_new(void);
extern char *umockdev_testbed_get_root_dir(UMockdevTestbed *self);
extern char *umockdev_testbed_add_devicev(UMockdevTestbed *self, const char *subsystem,
                                          const char *name, const char *parent,
                                          char **attributes, char **properties);
extern int umockdev_testbed_add_from_string(UMockdevTestbed *self, const char *data,
                                            GError **error);
extern void umockdev_testbed_set_attribute(UMockdevTestbed *self, const char *devpath,
                                           const char *name, const char *value);
extern void umockdev_testbed_set_attribute_link(UMockdevTestbed *self, const char *devpath,
                                                const char *name, const char *value);
extern void umockdev_testbed_set_property(UMockdevTestbed *self, const char *devpath,
                                          const char *name, const char *value);
extern void umockdev_testbed_uevent(UMockdevTestbed *self, const char *devpath,
                                    const char *action);
extern void umockdev_testbed_remove_device(UMockdevTestbed *self, const char *syspath);
extern void g_object_unref(void *object);
extern void g_free(void *memory);
extern void g_error_free(GError *error);
