internal import Glibc
internal import MessageBus

extension BusFailure {
  /// A Boolean value that indicates whether the service, object or method does not exist.
  var isAbsence: Bool { Self.absences.contains(name) }

  /// A Boolean value that indicates whether the connection failed because there is no bus.
  var isMissingBus: Bool { name.isEmpty && Self.missingBus.contains(errno) }

  private static let absences = Set(
    [
      "ServiceUnknown", "NameHasNoOwner", "UnknownMethod", "UnknownInterface", "UnknownObject",
      "Spawn.ServiceNotFound",
    ]
    .map { "org.freedesktop.DBus.Error.\($0)" })

  private static let missingBus: Set<Int32> = [
    ENOMEDIUM, ENOENT, ECONNREFUSED, ENXIO, EINVAL, ELIBACC,
  ]
}
