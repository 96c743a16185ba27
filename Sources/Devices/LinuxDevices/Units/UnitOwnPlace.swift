/// A setting that mounts something private at known paths (systemd.exec(5)).
///
/// The contents of the paths are unknown before the unit starts.
enum UnitOwnPlace: String, CaseIterable, Sendable {
  case ipc = "PrivateIPC"
  case ipcNamespace = "IPCNamespacePath"
  case processes = "PrivatePIDs"
  case bpf = "PrivateBPF"
  case processVisibility = "ProtectProc"
  case processFiles = "ProcSubset"
  case extensionImages = "ExtensionImages"
  case extensionDirectories = "ExtensionDirectories"
  case log = "LogNamespace"

  /// The paths at which this or another version of systemd mounts something.
  var paths: [String] {
    switch self {
    case .ipc, .ipcNamespace: ["/dev/mqueue"]
    case .processes, .processVisibility, .processFiles: ["/proc"]
    case .bpf: ["/sys/fs/bpf"]
    // Extensions are overlaid on these directories; on /etc since systemd 254.
    case .extensionImages, .extensionDirectories: ["/usr", "/opt", "/etc"]
    case .log: ["/run/systemd/journal"]
    }
  }

  /// Returns whether a value enables the setting, or `nil` if some versions of systemd ignore the
  /// value.
  func isSet(by value: String) -> Bool? {
    switch self {
    case .ipcNamespace, .extensionImages, .extensionDirectories, .log: !value.isEmpty
    case .ipc, .processes, .bpf: value.isEmpty ? nil : UnitSettingsReader.boolean(value) ?? true
    case .processVisibility: value.isEmpty ? nil : value != "default"
    case .processFiles: value.isEmpty ? nil : value != "all"
    }
  }
}
