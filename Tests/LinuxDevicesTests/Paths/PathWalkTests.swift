import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct PathWalkTests {
  /// Returns the names of the nodes seen below a directory, in the order of their first scan.
  func walk(_ path: String, below directory: String) -> (end: String?, seen: [String]) {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    let end = PathWalk.walk(path, with: &observer)
    let seen = observer.sightings.map(\.node.path).filter { $0.hasPrefix(directory + "/") }
      .map { String($0.dropFirst(directory.count + 1)) }
    return (end, seen)
  }

  @Test func `every directory, link and object on the way is listed once`() throws {
    let root = try TemporaryDirectory()
    try root.file("real/deep/file")
    try root.link("alias", to: "real/deep")
    let walked = walk("\(root.path)/alias/../deep/./file", below: root.path)
    #expect(walked.end == "\(root.path)/real/deep/file")
    #expect(walked.seen == ["alias", "real", "real/deep", "real/deep/file"])
  }

  @Test func `an absolute link starts again at the root`() throws {
    let root = try TemporaryDirectory()
    let file = try root.file("a/file")
    try root.link("link", to: file)
    let walked = walk("\(root.path)/link", below: root.path)
    #expect(walked.end == file)
    #expect(walked.seen == ["link", "a", "a/file"])
  }

  @Test(arguments: ["missing", "dir/missing", "missing/x", "file/x", "dangling"])
  func `what does not exist is not listed`(name: String) throws {
    let root = try TemporaryDirectory()
    try root.file("file")
    try root.directory("dir")
    try root.link("dangling", to: "nowhere")
    let walked = walk("\(root.path)/\(name)", below: root.path)
    #expect(walked.end == nil)
    #expect(Set(walked.seen).isSubset(of: ["file", "dir", "dangling"]))
  }

  @Test func `a loop of links ends`() throws {
    let root = try TemporaryDirectory()
    try root.link("a", to: "b")
    try root.link("b", to: "a")
    let walked = walk("\(root.path)/a", below: root.path)
    #expect(walked.end == nil)
    #expect(walked.seen == ["a", "b"])
  }

  @Test(arguments: [1, 40, 41, 60])
  func `a chain of links is listed one further than the kernel follows it`(length: Int) throws {
    let root = try TemporaryDirectory()
    try root.file("end")
    try root.link("l\(length)", to: "end")
    for number in 1..<length { try root.link("l\(number)", to: "l\(number + 1)") }
    let walked = walk("\(root.path)/l1", below: root.path)
    // The decision counts the links, and needs one more than the limit to detect the excess.
    #expect((walked.end != nil) == (length <= 41))
    #expect(walked.seen.count { $0.hasPrefix("l") } == min(length, 42))
  }

  @Test func `a name that is too long exists nowhere and is no error`() throws {
    let root = try TemporaryDirectory()
    let walked = walk("\(root.path)/\(String(repeating: "x", count: 256))", below: root.path)
    #expect(walked.end == nil)
    #expect(walked.seen.isEmpty)
  }

  @Test func `names that look the same are two files`() throws {
    let root = try TemporaryDirectory()
    let composed = try root.file("caf\u{E9}", mode: 0o600)
    let decomposed = try root.file("cafe\u{301}", mode: 0o644)
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    PathWalk.walk(composed, with: &observer)
    PathWalk.walk(decomposed, with: &observer)
    #expect(observer.sighting(composed)?.node.mode == 0o600)
    #expect(observer.sighting(decomposed)?.node.mode == 0o644)
  }

  @Test func `dots at the root stay there`() {
    #expect(walk("/../..//./", below: "").end == "/")
  }

  @Test func `mode, owner, type and number are the object's own`() throws {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    #expect(PathWalk.walk("/dev/null", with: &observer) == "/dev/null")
    let node = try #require(observer.sighting("/dev/null")?.node)
    #expect(node.type == .characterDevice)
    #expect(node.rdev == DeviceNumber(major: 1, minor: 3))
    #expect(node.uid == 0)
    #expect(node.unobserved.isEmpty)
    #expect(observer.sighting("/dev")?.node.type == .directory)
  }

  @Test func `a link leads to a name that is not UTF-8`() throws {
    let root = try TemporaryDirectory()
    let name = ByteText(bytes: [0x61, 0xFF])
    try makeLink("\(root.path)/bad", to: name.bytes)
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    #expect(PathWalk.walk("\(root.path)/bad", with: &observer) == nil)
    try makeFile(ByteText("\(root.path)/\(name.text)").bytes)
    observer = PathObserver(translator: IDTranslator(namespace: nil))
    let end = "\(root.path)/\(name.text)"
    #expect(PathWalk.walk("\(root.path)/bad", with: &observer) == end)
    #expect(observer.sighting("\(root.path)/bad")?.node.target == name.text)
    #expect(observer.sighting(end)?.node.type == .regular)
    #expect(observer.unobserved.isEmpty)
  }

  @Test func `a magic link of procfs is not taken for the path that it shows`() throws {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    #expect(PathWalk.walk("/proc/self/cwd", with: &observer) == nil)
    #expect(observer.unobserved.map(\.layer) == ["target"])
  }
}
