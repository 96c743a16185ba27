#pragma once
// The functions of libumockdev that the test bed uses, declared here so that the headers of GLib
// are not needed. Ownership: what `_new`, `_get_root_dir` and `_add_devicev` return is the
// caller's, to be released with `g_object_unref` and `g_free`. They abort on misuse instead of
// returning an error, except for `_add_from_string`.

typedef struct _UMockdevTestbed UMockdevTestbed;

/// The beginning of GLib's `GError`; owned by whoever received it.
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
