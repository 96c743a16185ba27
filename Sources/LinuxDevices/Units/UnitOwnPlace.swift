/// A setting that mounts something of the unit's own at known places (systemd.exec(5)): what is there
/// is not known before the start.
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

  /// The places, of this version of systemd or of another.
  var paths: [String] {
    switch self {
    case .ipc, .ipcNamespace: ["/dev/mqueue"]
    case .processes, .processVisibility, .processFiles: ["/proc"]
    case .bpf: ["/sys/fs/bpf"]
    // Extensions are laid over these; over /etc since systemd 254.
    case .extensionImages, .extensionDirectories: ["/usr", "/opt", "/etc"]
    case .log: ["/run/systemd/journal"]
    }
  }

  /// Whether a value sets it; `nil` for one that some versions of systemd pass over.
  func isSet(by value: String) -> Bool? {
    switch self {
    case .ipcNamespace, .extensionImages, .extensionDirectories, .log: !value.isEmpty
    case .ipc, .processes, .bpf: value.isEmpty ? nil : UnitSettingsReader.boolean(value) ?? true
    case .processVisibility: value.isEmpty ? nil : value != "default"
    case .processFiles: value.isEmpty ? nil : value != "all"
    }
  }
}
