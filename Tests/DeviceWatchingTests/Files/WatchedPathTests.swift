import LinuxDevices
import Testing

@testable import DeviceWatching

@Suite struct `Those to whom a name matters` {
  @Test func `are those who named it, and those to whom every name does`() {
    var path = WatchedPath()
    path[1] = .some(["a", "b"])
    path[2] = .some(["b"])
    #expect(path.users(of: "a") == [1])
    #expect(path.users(of: "b") == [1, 2])
    #expect(path.users(of: "c") == [])
    path[3] = .all
    #expect(path.users(of: "a") == [1, 3])
    #expect(path.users(of: "c") == [3])
    #expect(path.users(of: "") == [1, 2, 3])
  }

  @Test func `are those to whom a name matters by how it begins`() {
    var path = WatchedPath()
    path[1] = .some(["a"])
    path[1]?.insert(beginningWith: ["video", "media"])
    path[2] = .some(["video3"])
    #expect(path.users(of: "a") == [1])
    #expect(path.users(of: "video3") == [1, 2])
    #expect(path.users(of: "media0") == [1])
    #expect(path.users(of: "sda") == [])
    path[1]?.insert(beginningWith: [""])
    #expect(path[1] == .all)
    #expect(path.users(of: "sda") == [1])
    path[1] = .some(["a"])
    #expect(path.users(of: "media0") == [] && path.users(of: "sda") == [])
  }

  @Test func `are those of their last request`() {
    var path = WatchedPath()
    path[1] = .some(["a", "b"])
    path[1] = .some(["b", "c"])
    #expect(path.users(of: "a") == [])
    #expect(path.users(of: "c") == [1])
    path[1] = .all
    #expect(path.users(of: "a") == [1])
    path[1] = .some(["a"])
    #expect(path.users(of: "b") == [])
    path[1] = nil
    #expect(path.isEmpty)
    #expect(path.users(of: "a") == [] && path.users(of: "") == [])
  }
}

@Suite struct `What may be another object` {
  @Test func `is the name, or the directory itself, at each of its paths`() {
    var path = WatchedPath()
    #expect(path.changed(by: "a") == .none)
    var isNew = [path.add("/srv"), path.add("/srv")]
    #expect(isNew == [true, false])
    #expect(path.changed(by: "a") == .some(["/srv/a"]))
    #expect(path.changed(by: "") == .some(["/srv"]))
    isNew = [path.add("/")]
    #expect(isNew == [true])
    #expect(path.changed(by: "a") == .some(["/srv/a", "/a"]))
    #expect(path.changed(by: "") == .some(["/srv", "/"]))
  }

  @Test func `is everything once the paths are too many`() {
    var path = WatchedPath()
    var isNew = (0..<8).map { path.add("/\($0)") }
    #expect(!isNew.contains(false))
    #expect(path.changed(by: "") == .some(Set((0..<8).map { "/\($0)" })))
    isNew = [path.add("/8"), path.add("/9")]
    #expect(isNew == [true, false])
    #expect(path.changed(by: "a") == .all)
  }

  @Test func `adds up`() {
    var paths = ChangedPaths.none
    paths.formUnion(.some(["/a"]))
    paths.formUnion(.none)
    paths.formUnion(.some(["/b"]))
    #expect(paths == .some(["/a", "/b"]))
    paths.formUnion(.all)
    paths.formUnion(.some(["/a"]))
    #expect(paths == .all)
  }
}
