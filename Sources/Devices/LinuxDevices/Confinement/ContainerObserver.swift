internal import AccessModel
internal import Glibc

/// Identifies the container or sandbox around a subject, and the application in it.
struct ContainerObserver {
  let roots: MachineRoots
  /// The path of the subject's `/`, without a trailing slash.
  let root: String
  let environment: @Sendable (String) -> String?
  /// The mounts of the subject.
  let mounts: MountTable
  /// The directory of the subject's process in `/proc`; `nil` if the subject does not run.
  let process: String?
  /// The user whose permissions limit which files are read in the subject's root directory.
  let user: UInt32

  /// Returns the name of the container engine or sandbox; `nil` if none is detected.
  ///
  /// The name is the one that container(7) lists, if it lists one.
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
    // A Kubernetes pod also shows the signs of its engine, but does not have that engine's options.
    if environment("KUBERNETES_SERVICE_HOST") != nil { return "kubernetes" }
    if isThisMachine && exists("/var/run/secrets/kubernetes.io") { return "kubernetes" }
    let fromGroup = cgroup.flatMap(Self.engine(inControlGroup:))
    if fromGroup == "kubernetes" { return fromGroup }
    if exists("\(roots.run)/.containerenv") { return "podman" }
    if isThisMachine && exists("/.dockerenv") { return "docker" }
    // Here systemd stores the container that it detected as PID 1 (container(7)).
    if let file = try? read("\(roots.run)/systemd/container", limit: 80),
      let name = Self.name(BoundedFile.line(of: file.bytes, limit: 80)),
      name != ConfinementFacts.wsl
    {
      return name
    }
    if let fromGroup { return fromGroup }
    if isBubblewrap(mounts, process: process) { return "bubblewrap" }
    // The process with ID 1 is not relevant to a subject with another root directory.
    let first = root.isEmpty ? firstProcessContainer() : nil
    return first ?? environment("container").flatMap(Self.name)
  }

  /// Returns the text if it can be the name of an engine; otherwise `nil`.
  ///
  /// The text is untrusted, because the creator of the container chose it.
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

  /// Returns the engine that typically creates a control group with the given path; `nil` if
  /// unknown.
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
      // Podman's monitor runs outside of the container.
      if part.hasPrefix("libpod-"), !part.hasPrefix("libpod-conmon") { return "podman" }
      if part.hasPrefix("lxc.payload") || part == "lxc" && index + 1 < parts.count { return "lxc" }
      if part == "payload", index > 0, parts[index - 1].hasPrefix("machine-") {
        return "systemd-nspawn"
      }
    }
    return nil
  }

  /// Returns the application's description of itself, for a flatpak or a snap.
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

  /// Parses `/.flatpak-info` (flatpak-metadata(5)); `nil` if it names no application.
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

  /// Reads a file in the subject's root directory.
  private func read(_ path: String, limit: Int) throws(Errno) -> BoundedFile.Contents {
    root.isEmpty
      ? try BoundedFile.readHeld(path, limit: limit)
      : try ForeignFile(user: user, limit: limit).read(path, below: root)
  }

  private func exists(_ path: String) -> Bool {
    unsafe access("\(root)\(path)", F_OK) == 0
  }
}

/// Detects bwrap(1), which leaves no marker file and sets no environment variable.
extension ContainerObserver {
  /// The maximum number of ancestor processes to inspect.
  private static let mostParents = 16

  /// Returns whether bwrap created the mount namespace.
  ///
  /// Usually bwrap mounts a tmpfs and makes its directory `/newroot` the new root. Otherwise it
  /// bind-mounts the existing root without devices, and remains as an ancestor of the process.
  func isBubblewrap(_ mounts: MountTable, process: String?) -> Bool {
    guard let top = mounts.last(at: "/") else { return false }
    if top.fstype == "tmpfs", top.root == "/newroot" { return true }
    let options = top.options
    guard options.contains("nosuid"), options.contains("nodev"), let process else { return false }
    return isBelowBubblewrap(process)
  }

  private func isBelowBubblewrap(_ process: String) -> Bool {
    var folder = process
    for _ in 0..<Self.mostParents {
      guard let file = try? BoundedFile.read("\(folder)/stat", limit: 1024),
        let line = Self.nameAndParent(file.bytes)
      else { return false }
      if line.name.elementsEqual("bwrap".utf8) { return true }
      guard line.parent > 0 else { return false }
      folder = "\(roots.proc)/\(line.parent)"
    }
    return false
  }

  /// Parses the name and the parent of a process from its `stat` file: `1234 (name) S 1 …`.
  private static func nameAndParent(
    _ bytes: [UInt8]
  ) -> (name: ArraySlice<UInt8>, parent: UInt32)? {
    guard let opening = bytes.firstIndex(of: UInt8(ascii: "(")),
      let closing = bytes.lastIndex(of: UInt8(ascii: ")")), opening < closing
    else { return nil }
    let words = bytes[(closing + 1)...].split(maxSplits: 2) { $0 == ByteScanner.space }
    guard words.count > 1, let parent = ByteScanner.number(words[1]) else { return nil }
    return (bytes[(opening + 1)..<closing], UInt32(parent))
  }
}
