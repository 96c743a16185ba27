internal import Glibc
internal import MessageBus

extension BusFailure {
  /// Whether there is no such service, object or method.
  var isAbsence: Bool { Self.absences.contains(name) }

  /// Whether connecting failed as it does where no bus was set up.
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
