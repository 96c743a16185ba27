package import AccessModel
internal import CLinux

/// Identifies inodes by the file handles of their filesystem (name_to_handle_at(2)).
extension PinnedNode {
  /// The file handle, for ``GrantedObject/handle``; `nil` if the filesystem does not support
  /// handles.
  package var handle: String? {
    borrowing get {
      var handle = clinux_handle()
      guard unsafe clinux_name(number, &handle) == 0 else { return nil }
      let bytes = unsafe withUnsafeBytes(of: handle.bytes) { bytes in
        unsafe Array(bytes.prefix(Int(handle.count)))
      }
      return "\(handle.type):" + bytes.map(Self.digits).joined()
    }
  }

  /// Returns whether this is the inode in the record of a grant.
  ///
  /// A filesystem reuses the number of a removed inode, and ext4 often does so for the next file.
  /// If both handles are known, they distinguish the inodes.
  ///
  /// - Parameter object: The object in the record.
  /// - Returns: `true` if it is the same inode.
  package borrowing func isInode(of object: GrantedObject) -> Bool {
    guard inode == object.inode else { return false }
    guard let known = object.handle, let handle else { return true }
    return known == handle
  }

  /// Finds and pins an inode, wherever it was moved to in its filesystem.
  ///
  /// The result is `nil` if the inode was removed, or without `CAP_DAC_READ_SEARCH`.
  ///
  /// - Parameters:
  ///   - text: The ``handle`` of the inode.
  ///   - inode: The expected inode.
  ///   - path: The earlier path of the object. Its nearest existing directory leads to the
  ///     filesystem.
  package init?(handle text: String, of inode: GrantedObject.Inode, calledBy path: String) {
    guard var handle = Self.handle(text) else { return nil }
    var place = AbsolutePath.parent(of: path)
    while true {
      if let directory = try? PinnedNode(path: place), directory.type == .directory,
        directory.inode.filesystem == inode.filesystem
      {
        guard
          let found = try? PinnedNode(
            taking: unsafe clinux_pin_named(directory.number, &handle)),
          found.inode == inode, !found.isRemoved
        else { return nil }
        self = found
        return
      }
      guard place != "/" else { return nil }
      place = AbsolutePath.parent(of: place)
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// Parses a handle from a record, which is untrusted.
  private static func handle(_ text: String) -> clinux_handle? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let type = Int32(String(Substring(parts[0]))) else { return nil }
    let digits = parts[1].map { Character(Unicode.Scalar($0)).hexDigitValue }
    var handle = clinux_handle()
    let space = MemoryLayout.size(ofValue: handle.bytes)
    guard digits.count.isMultiple(of: 2), digits.count / 2 <= space, !digits.contains(nil) else {
      return nil
    }
    handle.type = type
    handle.count = UInt32(digits.count / 2)
    unsafe withUnsafeMutableBytes(of: &handle.bytes) { bytes in
      for index in 0..<digits.count / 2 {
        unsafe bytes[index] = UInt8((digits[2 * index] ?? 0) << 4 | (digits[2 * index + 1] ?? 0))
      }
    }
    return handle
  }
}
