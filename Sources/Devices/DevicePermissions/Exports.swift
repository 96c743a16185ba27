// Clients of the services need these modules, because the services take and return their types.
@_exported public import AccessModel
@_exported public import DeviceWatching
@_exported public import LinuxDevices
