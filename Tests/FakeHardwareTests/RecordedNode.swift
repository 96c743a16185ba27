#if UMockdev
  import DevicePermissionsTesting

  /// One video node of a recorded machine.
  struct RecordedNode: Sendable {
    /// The path below `/sys`.
    var path: String
    var minor: Int
    var index: Int?
    /// The driver of the nearest parent that has one.
    var driver: String?
    var properties: [String: String]

    var name: String { String(path.split(separator: "/").last ?? "") }
  }

  extension UMockdevTestbed {
    /// Builds a machine, with each node at its own path below a parent with its driver.
    ///
    /// - Returns: The paths in sysfs, by kernel name.
    @discardableResult
    borrowing func add(_ nodes: [RecordedNode]) throws -> [String: String] {
      var paths: [String: String] = [:]
      var described: Set<String> = []
      for node in nodes {
        // /devices/…/1-5:1.0/video4linux/video0
        let parent = node.path.split(separator: "/").dropLast(2).joined(separator: "/")
        if let driver = node.driver, described.insert(parent).inserted {
          let bus = node.path.contains("/platform/") ? "platform" : "pci"
          try add(
            description: """
              P: /\(parent)
              L: driver=../../../../bus/drivers/\(driver)
              E: SUBSYSTEM=\(node.properties["ID_BUS"] ?? bus)

              """)
        }
        var lines = ["P: \(node.path)", "N: \(node.name)"]
        lines += node.properties.sorted { $0.key < $1.key }.map { "E: \($0.key)=\($0.value)" }
        lines += ["E: DEVNAME=/dev/\(node.name)", "E: MAJOR=81", "E: MINOR=\(node.minor)"]
        lines += ["E: SUBSYSTEM=video4linux", "A: dev=81:\(node.minor)"]
        if let index = node.index { lines.append("A: index=\(index)") }
        try add(description: lines.joined(separator: "\n") + "\n\n")
        paths[node.name] = "/sys\(node.path)"
      }
      return paths
    }
  }
#endif
