/// What starts a program in a container or as a service, in words of its own.
public enum ContainerEngine: String, Hashable, Sendable, Codable, CaseIterable {
  case docker
  case podman
  /// A unit: systemd.exec(5) and systemd.resource-control(5).
  case systemd
  case kubernetes
}
