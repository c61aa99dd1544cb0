"""What nvshmem.core.interop.torch has."""

from cushmem.core import arrays as _arrays

bytetensor = _arrays.bytetensor
free_tensor = _arrays.free_tensor
get_multicast_tensor = _arrays.get_multicast_tensor
get_peer_tensor = _arrays.get_peer_tensor
register_external_tensor = _arrays.register_external_tensor
tensor = _arrays.tensor
tensor_get_buffer = _arrays.tensor_get_buffer
unregister_external_tensor = _arrays.unregister_external_tensor
