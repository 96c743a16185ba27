// Their types are what the services ask and answer with: who imports the services needs them.
@_exported public import AccessModel
@_exported public import LinuxDevices
