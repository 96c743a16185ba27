internal import AccessModel
internal import Glibc

/// Identifies the container or sandbox around a subject, and the application in it.
struct ContainerObserver {
  let roots: MachineRoots
  /// The path of the subject's `/`, without a trailing slash.
  let root: String
  let environment: @Sendable (String) -> String?
  /// The mounts that the subject sees.
  let mounts: MountTable
  /// The folder of the subject's process below `/proc`; `nil` if it does not run.
  let process: String?
  /// The user who runs the process.
  let user: UInt32

  /// Returns the name of the engine, as container(7) spells it if it is listed there.
  func container(cgroup: String?, label: String?) -> String? {
    let isThisMachine = roots == MachineRoots()
    if environment("FLATPAK_ID") != nil || isThisMachine && exists("/.flatpak-info") {
      return "flatpak"
    }
    if environment("SNAP") != nil && environment("SNAP_NAME") != nil
      || label?.hasPrefix("snap.") == true
    {
      return "snap"
    }
    if environment("APPTAINER_CONTAINER") != nil { return "apptainer" }
    if environment("SINGULARITY_CONTAINER") != nil { return "singularity" }
    // A pod also has the marks of its engine, but not that engine's options.
    if environment("KUBERNETES_SERVICE_HOST") != nil { return "kubernetes" }
    if isThisMachine && exists("/var/run/secrets/kubernetes.io") { return "kubernetes" }
    let fromGroup = cgroup.flatMap(Self.engine(inControlGroup:))
    if fromGroup == "kubernetes" { return fromGroup }
    if exists("\(roots.run)/.containerenv") { return "podman" }
    if isThisMachine && exists("/.dockerenv") { return "docker" }
    // systemd writes the container that its own PID 1 has detected here: container(7).
    if let file = try? read("\(roots.run)/systemd/container", limit: 80),
      let name = Self.name(BoundedFile.line(of: file.bytes, limit: 80)),
      name != ConfinementFacts.wsl
    {
      return name
    }
    if let fromGroup { return fromGroup }
    if isBubblewrap(mounts, process: process) { return "bubblewrap" }
    // A subject with another root directory may have another first process.
    let first = root.isEmpty ? firstProcessContainer() : nil
    return first ?? environment("container").flatMap(Self.name)
  }

  /// Returns a word that may name an engine; `nil` for other text, which the container's creator
  /// chose.
  static func name(_ text: String) -> String? {
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isWord && 1...64 ~= text.utf8.count ? text : nil
  }

  /// Returns the engine that gives control groups such names.
  static func engine(inControlGroup path: String) -> String? {
    let parts = path.parts(at: "/")
    for (index, part) in parts.enumerated() {
      if part.hasPrefix("kubepods") || part.hasPrefix("crio-")
        || part.hasPrefix("cri-containerd-")
      {
        return "kubernetes"
      }
      if part.hasPrefix("docker-") && part.hasSuffix(".scope") || part == "docker" {
        return "docker"
      }
      // The monitor of podman runs outside the container.
      if part.hasPrefix("libpod-"), !part.hasPrefix("libpod-conmon") { return "podman" }
      if part.hasPrefix("lxc.payload") || part == "lxc" && index + 1 < parts.count { return "lxc" }
      if part == "payload", index > 0, parts[index - 1].hasPrefix("machine-") {
        return "systemd-nspawn"
      }
    }
    return nil
  }

  /// Returns the description that a flatpak or snap gives of itself.
  func application(in container: String?) -> ApplicationFacts? {
    switch container {
    case "flatpak":
      let file = try? read("/.flatpak-info", limit: 1 << 18)
      if roots == MachineRoots(), let file { return Self.flatpak(parsing: file.bytes) }
      return environment("FLATPAK_ID").flatMap {
        $0.isEmpty ? nil : ApplicationFacts(name: $0)
      }
    case "snap":
      let name = environment("SNAP_INSTANCE_NAME") ?? environment("SNAP_NAME")
      return name.flatMap { $0.isEmpty ? nil : ApplicationFacts(name: $0) }
    default: return nil
    }
  }

  /// Reads `/.flatpak-info` (flatpak-metadata(5)); `nil` when it names no application.
  static func flatpak(parsing bytes: [UInt8]) -> ApplicationFacts? {
    var section = ""
    var values: [String: String] = [:]
    for line in bytes.split(separator: ByteScanner.newline).prefix(4096) {
      let text = String(repairing: line, limit: 4096)
      if text.hasPrefix("["), text.hasSuffix("]") {
        section = String(text.dropFirst().dropLast())
      } else if let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        values["\(section)/\(text[..<sign])"] = String(text[text.utf8.index(after: sign)...])
      }
    }
    guard let name = values["Application/name"], !name.isEmpty else { return nil }
    func list(_ key: String) -> [String] {
      (values["Context/\(key)"] ?? "").parts(at: ";").prefix(256).map(String.init)
    }
    return ApplicationFacts(
      name: name, devices: list("devices"), filesystems: list("filesystems"))
  }

  private func firstProcessContainer() -> String? {
    guard let contents = try? BoundedFile.read("\(roots.proc)/1/environ", limit: 1 << 17) else {
      return nil
    }
    let key = Array("container=".utf8)
    for variable in contents.bytes.split(separator: 0) where variable.starts(with: key) {
      return Self.name(String(repairing: variable.dropFirst(key.count), limit: 80))
    }
    return nil
  }

  /// Reads a file below the subject's `/`.
  private func read(_ path: String, limit: Int) throws(Errno) -> BoundedFile.Contents {
    root.isEmpty
      ? try BoundedFile.readHeld(path, limit: limit)
      : try ForeignFile(user: user, limit: limit).read(path, below: root)
  }

  private func exists(_ path: String) -> Bool {
    unsafe access("\(root)\(path)", F_OK) == 0
  }
}
