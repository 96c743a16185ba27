import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `Adding a picture` {
  private static func names(_ path: String) throws -> Set<String> {
    let names = try Directory.names(in: path)
    return try Set(#require(names))
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    try BoundedFile.read(path, limit: 1 << 20).bytes
  }

  @Test func `takes the first free name, and nobody's place`() throws {
    let folder = try TemporaryDirectory()
    try folder.link("IMG 1.png", to: "/nowhere")
    try folder.directory("IMG 3.png")
    let album = try Album(path: folder.path)
    let name = try PictureName("IMG", suffix: "png")
    #expect(try album.add([1, 2, 3], named: name) == "IMG 2.png")
    #expect(try album.add([], named: name) == "IMG 4.png")
    #expect(unsafe unlink("\(folder.path)/IMG 2.png") == 0)
    #expect(try album.add([4], named: name) == "IMG 2.png")
    #expect(try Self.bytes("\(folder.path)/IMG 2.png") == [4])
    #expect(try Self.bytes("\(folder.path)/IMG 4.png") == [])
    let plain = try PictureName("scan", suffix: "", separator: "-")
    #expect(try album.add([5], named: plain) == "scan-1")
    #expect(
      try Self.names(folder.path)
        == ["IMG 1.png", "IMG 2.png", "IMG 3.png", "IMG 4.png", "scan-1"])
  }

  @Test func `finds the first free name among many, and none that only looks like one`() throws {
    let folder = try TemporaryDirectory()
    let last = NewPicture.mostTrials + 200
    let free = [NewPicture.mostTrials + 5, NewPicture.mostTrials + 100]
    for number in 1...last where !free.contains(number) { try folder.file("IMG \(number).png", "") }
    for number in free {
      for other in [
        "IMG 0\(number).png", "IMG \(number).jpg", "IMG \(number)", "IMG \(number).png~",
        "IMG \(number)000000.png", "IMG \(number)\(String(repeating: "9", count: 40)).png",
      ] {
        try folder.file(other, "")
      }
    }
    let album = try Album(path: folder.path)
    let name = try PictureName("IMG", suffix: "png")
    for number in free + [last + 1] {
      #expect(try album.add([], named: name) == "IMG \(number).png")
    }
    let plain = try PictureName("IMG", suffix: "", separator: " ")
    #expect(try album.add([], named: plain) == "IMG 1")
  }

  @Test func `tries few names where a hundred thousand are taken`() throws {
    let folder = try TemporaryDirectory()
    let directory = try OwnedDescriptor(
      unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    let (taken, free) = (100_000, 99_990)
    for number in 1...taken where number != free {
      guard unsafe symlinkat("/nowhere", directory.number, "IMG \(number).png") == 0 else {
        throw Errno.current
      }
    }
    let picture = NewPicture([], try PictureName("IMG", suffix: "png"), in: directory.number)
    for number in [free, taken + 1] {
      var trials = 0
      let final = try picture.firstFree { name in
        trials += 1
        return unsafe symlinkat("/nowhere", directory.number, name) == 0 ? 0 : -errno
      }
      #expect(final == "IMG \(number).png")
      #expect(trials == NewPicture.mostTrials)
    }
  }

  /// Simulates a filesystem without `O_TMPFILE`.
  @Test func `takes a hidden name first where a file needs one`() throws {
    let folder = try TemporaryDirectory()
    try folder.file("IMG 1.png", "old")
    let directory = try OwnedDescriptor(
      unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    let name = try PictureName("IMG", suffix: "png")
    let picture = NewPicture([1, 2], name, in: directory.number)
    #expect(try picture.addHidden() == "IMG 2.png")
    #expect(try Self.bytes("\(folder.path)/IMG 2.png") == [1, 2])
    #expect(try Self.bytes("\(folder.path)/IMG 1.png") == Array("old".utf8))
    #expect(try Self.names(folder.path) == ["IMG 1.png", "IMG 2.png"])
  }

  @Test func `loses none among eight tasks and another process`() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path
    let (tasks, rounds) = (8, 200)
    let added = try await withThrowingTaskGroup(of: [String].self) { group in
      group.addTask {
        await #expect(processExitsWith: .success) { [path = path as String] in
          let album = try Album(path: path)
          let name = try PictureName("IMG", suffix: "png")
          for round in 0..<200 {
            _ = try album.add([255, UInt8(round)], named: name)
          }
        }
        return []
      }
      for task in 0..<tasks {
        group.addTask {
          let album = try Album(path: path)
          let name = try PictureName("IMG", suffix: "png")
          return try (0..<rounds).map { round in
            let bytes = [UInt8(task), UInt8(round)]
            // Half of the pictures need a name immediately, as without `O_TMPFILE`.
            guard round % 2 == 0 else { return try album.add(bytes, named: name) }
            let directory = try OwnedDescriptor(
              unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
            return try NewPicture(bytes, name, in: directory.number).addHidden()
          }
        }
      }
      return try await group.reduce(into: [String]()) { $0 += $1 }
    }
    #expect(added.count == tasks * rounds)
    #expect(Set(added).count == tasks * rounds)
    let names = try Self.names(path)
    #expect(names.count == (tasks + 1) * rounds)
    #expect(names == Set((1...names.count).map { "IMG \($0).png" }))
    let contents = try Set(names.map { try Self.bytes("\(path)/\($0)") })
    #expect(contents.count == names.count)
    #expect(contents.allSatisfy { $0.count == 2 })
  }

  @Test func `leaves nothing behind at the limit of the process`() async throws {
    let folder = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let album = try Album(path: path)
      let name = try PictureName("IMG", suffix: "png")
      for _ in 0..<3 {
        let error = #expect(throws: AlbumError.self) {
          try album.add([UInt8](repeating: 1, count: 1001), named: name)
        }
        #expect(error?.code == .full)
        #expect(error?.errno == .fileTooLarge)
      }
      let directory = try OwnedDescriptor(unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      #expect(throws: Errno.fileTooLarge) {
        try NewPicture([UInt8](repeating: 1, count: 1001), name, in: directory.number).addHidden()
      }
      #expect(try album.add([UInt8](repeating: 1, count: 1000), named: name) == "IMG 1.png")
    }
    #expect(try Self.names(folder.path) == ["IMG 1.png"])
  }

  @Test(.requiresPrivateMounts) func `leaves nothing behind on a full disk`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      try PrivateMachine.mountTemporary(at: "/mnt", options: "size=64k,mode=755")
      let album = try Album(path: "/mnt")
      let name = try PictureName("IMG", suffix: "png")
      for _ in 0..<3 {
        let error = #expect(throws: AlbumError.self) {
          try album.add([UInt8](repeating: 1, count: 1 << 17), named: name)
        }
        #expect(error?.code == .full)
        #expect(error?.errno == .noSpace)
        #expect(error?.description == "/mnt: cannot add a picture: no space left on device")
      }
      #expect(try Self.names("/mnt") == [])
      #expect(try album.add([UInt8](repeating: 1, count: 1 << 14), named: name) == "IMG 1.png")
    }
  }

  @Test func `is refused where the directory went or takes nothing`() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.directory("Pictures")
    let album = try Album(path: path)
    let name = try PictureName("IMG", suffix: "png")
    #expect(unsafe rmdir(path) == 0)
    let gone = #expect(throws: AlbumError.self) { try album.add([1], named: name) }
    #expect(gone?.code == .absent)
    let missing = #expect(throws: AlbumError.self) { _ = try Album(path: path).path }
    #expect(missing?.code == .absent)
    let file = try folder.file("file")
    let wrong = #expect(throws: AlbumError.self) { _ = try Album(path: file).path }
    #expect(wrong?.code == .wrongObject)
    for path in ["", "a\0b", String(repeating: "a/", count: 3000)] {
      let error = #expect(throws: AlbumError.self) { _ = try Album(path: path).path }
      #expect(error?.code == .invalidName)
    }
  }

  @Test(.requiresRoot) func `needs no permission to read the directory`() async throws {
    let folder = try TemporaryDirectory()
    let dropBox = try folder.directory("drop", mode: 0o733)
    let closed = try folder.directory("closed", mode: 0o755)
    await #expect(processExitsWith: .success) {
      [dropBox = dropBox as String, closed = closed as String] in
      try PrivateMachine.become(user: 65534, group: 65534)
      let name = try PictureName("IMG", suffix: "png")
      // More names than are tried before the directory would be listed.
      for number in 1...NewPicture.mostTrials + 5 {
        #expect(try Album(path: dropBox).add([1], named: name) == "IMG \(number).png")
      }
      let error = #expect(throws: AlbumError.self) {
        try Album(path: closed).add([1], named: name)
      }
      #expect(error?.code == .refused)
    }
  }

  @Test(arguments: [
    ("", "png", " "), (".", "", " "), ("..", "", " "), (".hidden", "png", " "),
    ("a/b", "png", " "), ("a", "../b", " "), ("a", "png", "/"), ("a\0", "png", " "),
    ("a", "\0", " "), (String(repeating: "n", count: 244), "png", " "),
    (String(repeating: "ä", count: 122), "png", " "),
  ])
  func `refuses a name that no picture can have`(base: String, suffix: String, separator: String) {
    let error = #expect(throws: AlbumError.self) {
      try PictureName(base, suffix: suffix, separator: separator)
    }
    #expect(error?.code == .invalidName)
  }

  @Test func `takes the longest name that every number fits`() throws {
    let folder = try TemporaryDirectory()
    // 243 + 1 + 7 + 1 + 3 = 255.
    let name = try PictureName(String(repeating: "n", count: 243), suffix: "png")
    #expect(try Album(path: folder.path).add([1], named: name).utf8.count == 249)
  }
}
