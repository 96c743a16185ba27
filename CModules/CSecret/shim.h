#pragma once

// libsecret, and wrappers for what Swift cannot use: variadic functions, and the macros and virtual
// functions of GObject.

#include <gio/gio.h>
#include <libsecret/secret.h>

// MARK: - A service on a connection of the caller

/// Refuses a prompt if none may be shown.
static inline GVariant *csecret_refuse_prompt(SecretService *service, SecretPrompt *prompt,
                                              GCancellable *cancellable, const GVariantType *type,
                                              GError **error) {
  (void)service, (void)prompt, (void)cancellable, (void)type;
  g_set_error_literal(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED, "it asks for a prompt");
  return NULL;
}

static inline void csecret_refuse_prompt_later(SecretService *service, SecretPrompt *prompt,
                                               const GVariantType *type, GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer data) {
  (void)prompt, (void)type, (void)cancellable;
  g_task_report_new_error(service, callback, data, NULL, SECRET_ERROR, SECRET_ERROR_IS_LOCKED,
                          "it asks for a prompt");
}

static inline GVariant *csecret_refused_prompt(SecretService *service, GAsyncResult *result,
                                               GError **error) {
  (void)service;
  return g_task_propagate_pointer(G_TASK(result), error);
}

/// Replaces libsecret's constructor, which uses the shared connection of the process.
///
/// The original also loads properties, and compares signals with them without checking whether they
/// were loaded. Only lists of collections need either.
static inline GObject *csecret_construct(GType type, guint count,
                                         GObjectConstructParam *properties) {
  GObject *object =
      G_OBJECT_CLASS(g_type_class_peek(SECRET_TYPE_SERVICE))->constructor(type, count, properties);
  g_object_set(object, "g-bus-type", G_BUS_TYPE_NONE, "g-flags",
               G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS,
               NULL);
  return object;
}

static inline void csecret_make_class(gpointer class, gpointer data) {
  (void)data;
  G_OBJECT_CLASS(class)->constructor = csecret_construct;
}

static inline void csecret_make_quiet_class(gpointer class, gpointer data) {
  SecretServiceClass *service = class;
  csecret_make_class(class, data);
  service->prompt_sync = csecret_refuse_prompt;
  service->prompt_async = csecret_refuse_prompt_later;
  service->prompt_finish = csecret_refused_prompt;
}

static inline GType csecret_register(const char *name, GClassInitFunc make) {
  return g_type_register_static_simple(SECRET_TYPE_SERVICE, name, sizeof(SecretServiceClass), make,
                                       sizeof(SecretService), NULL, 0);
}

/// Returns one of two subclasses of SecretService, because Swift cannot define GObject classes.
///
/// One subclass shows prompts of the service, as libsecret does. The other refuses them, so the
/// operation fails with `SECRET_ERROR_IS_LOCKED`.
static inline GType csecret_service_type(gboolean prompts) {
  static gsize types[2] = {0, 0};
  gsize *type = &types[prompts ? 1 : 0];
  if (g_once_init_enter(type)) {
    g_once_init_leave(type, prompts ? csecret_register("LegoSecretsService", csecret_make_class)
                                    : csecret_register("LegoSecretsQuietService",
                                                       csecret_make_quiet_class));
  }
  return *type;
}

/// Creates a service on a connection of the caller, and opens a session.
///
/// secret_service_get returns a shared object, whose connection terminates the process when the bus
/// ends. The caller owns the returned object and must release it with g_object_unref. Swift cannot
/// call g_initable_new, which is variadic.
static inline SecretService *csecret_service_new(GDBusConnection *connection, gboolean prompts,
                                                 GCancellable *cancellable, GError **error) {
  return g_initable_new(csecret_service_type(prompts), cancellable, error, "g-connection",
                        connection, "flags", SECRET_SERVICE_OPEN_SESSION, NULL);
}

// MARK: - Attributes of a secret

/// Returns the schema, because Swift cannot create a structure with an array of 32 structures.
static inline const SecretSchema *csecret_schema(void) {
  static const SecretSchema schema = {
      "org.devaccess.LegoSecrets",
      SECRET_SCHEMA_NONE,
      {{"application", SECRET_SCHEMA_ATTRIBUTE_STRING},
       {"name", SECRET_SCHEMA_ATTRIBUTE_STRING},
       {NULL, 0}},
      0, 0, 0, 0, 0, 0, 0, 0};
  return &schema;
}

/// Returns the attributes of a secret.
///
/// The caller owns the table and must release it with g_hash_table_unref. Swift cannot call
/// secret_attributes_build, which is variadic.
static inline GHashTable *csecret_attributes(const char *application, const char *name) {
  return secret_attributes_build(csecret_schema(), "application", application, "name", name, NULL);
}
