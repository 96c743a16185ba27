import Glibc
import Testing

@testable import camera_and_album

@Suite struct `A new file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `gets the first free name, and takes nobody's place`() throws {
    unsafe symlink("/nowhere", folder.path + "/picture-1.jpg")
    let path = try NewFile.save([1, 2, 3], named: "picture", "jpg", in: folder.path)
    #expect(path == folder.path + "/picture-2.jpg")
    #expect(try TemporaryFolder.bytes(of: path) == [1, 2, 3])
    #expect(try folder.names == ["picture-1.jpg", "picture-2.jpg"])
  }

  @Test func `gets a name of its own among many at once`() async throws {
    let folder = folder
    let paths = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        group.addTask {
          try NewFile.save([UInt8(number)], named: "picture", "jpg", in: folder.path)
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths.count == 40)
    let contents = try Set(paths.map { try TemporaryFolder.bytes(of: $0) })
    #expect(contents.count == 40)
    #expect(try folder.names.count == 40)
  }

  @Test func `that cannot be saved leaves nothing behind`() throws {
    let error = #expect(throws: NewFile.Failure.self) {
      try NewFile.save([1], named: "picture", "jpg", in: folder.path + "/missing")
    }
    #expect(error?.number == ENOENT)
    #expect("\(try #require(error))".hasSuffix(": No such file or directory"))
    // The longest name that the filesystem takes is shorter.
    let name = String(repeating: "n", count: 240)
    #expect(throws: NewFile.Failure.self) {
      try NewFile.save([1], named: name, "jpg", in: folder.path)
    }
    #expect(try folder.names == [])
  }
}
