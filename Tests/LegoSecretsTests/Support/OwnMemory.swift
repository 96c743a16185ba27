import Foundation
import Glibc

@testable import LegoSecrets

// glibc declares it only with _GNU_SOURCE.
@_silgen_name("memmem") private func memmem(
  _ text: UnsafeRawPointer, _ textSize: Int, _ word: UnsafeRawPointer, _ wordSize: Int
) -> UnsafeRawPointer?

/// The memory of this process, searched as another program with its rights would.
enum OwnMemory {
  /// Counts where a text occurs, given backwards so that asking does not count.
  static func count(ofReversed reversed: String) throws -> Int {
    var word = Array(reversed.utf8.reversed())
    let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw CocoaError(.fileReadNoPermission) }
    defer { close(memory) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    // Or the next search would find what this one leaves.
    defer {
      SecretBytes.erase(&word)
      SecretBytes.erase(&room)
    }
    // What this function itself holds is not counted.
    let own = unsafe word.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    let reading = unsafe room.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    let read = reading..<reading + UInt(room.count)
    var count = 0
    for region in try regions() {
      var start = region.lowerBound
      while start < region.upperBound {
        let size = unsafe pread(
          memory, &room, min(room.count, Int(region.upperBound - start)), off_t(start))
        guard size > word.count else { break }
        count += occurrences(of: word, in: room[..<size]) { place in
          let address = start + UInt(place)
          return address != own && !read.contains(address)
        }
        start += size == room.count ? UInt(size - word.count + 1) : UInt(size)
      }
    }
    return count
  }

  private static func occurrences(
    of word: [UInt8], in text: ArraySlice<UInt8>, where counts: (Int) -> Bool
  ) -> Int {
    unsafe text.withUnsafeBytes { text in
      var count = 0
      var offset = 0
      while let base = text.baseAddress,
        let found = unsafe memmem(
          base + offset, text.count - offset, word, word.count)
      {
        let place = unsafe found - base
        if counts(place) { count += 1 }
        offset = place + 1
      }
      return count
    }
  }

  /// The regions that can be read and written.
  private static func regions() throws -> [Range<UInt>] {
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    return maps.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 1, words[1].hasPrefix("rw"), !line.hasSuffix("[vvar]") else { return nil }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 ? ends[0]..<ends[1] : nil
    }
  }
}
