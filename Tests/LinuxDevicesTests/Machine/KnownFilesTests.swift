import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

final class KnownFilesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/tmp") }

  /// Returns a file that was written long enough ago to be trusted.
  private func settledFile() async throws -> String {
    let file = try directory.file("list", "one two")
    while try !FileStamp(of: file).isSettled { try await Task.sleep(for: .milliseconds(100)) }
    return file
  }

  private func words(_ bytes: [UInt8]) -> Set<String> {
    Set(String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init))
  }

  @Test func `is read again only when somebody has written to them`() async throws {
    let file = try await settledFile()
    let known = KnownFiles()
    let count = AtomicCount()
    func found() throws -> Set<String> {
      try known.names(KnownFiles.Search(path: file), limit: 100) {
        count.add()
        return words($0)
      }
    }
    for _ in 0..<10 { #expect(try found() == ["one", "two"]) }
    #expect(count.value == 1)
    // The next write may happen within the same tick of the clock.
    try directory.file("list", "one six")
    for _ in 0..<10 { #expect(try found() == ["one", "six"]) }
    #expect(count.value == 11)
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: Errno.noSuchFile) { try found() }
  }

  @Test func `is that of one search`() async throws {
    let file = try await settledFile()
    let known = KnownFiles()
    for names in [["one"], ["two", "three"], ["one"]] {
      let found = try known.names(KnownFiles.Search(path: file, names: names), limit: 100) {
        words($0).intersection(names)
      }
      #expect(found == Set(names).subtracting(["three"]))
    }
  }
}
