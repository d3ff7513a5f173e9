// Real `training_args.bin`, gzipped: transformers 5.24.0, TRL 1.16.0, PyTorch 2.15.0 on a CPU.
import { gunzipSync, gzipSync } from 'node:zlib';

const unpack = (text: string): Uint8Array => Uint8Array.from(gunzipSync(Buffer.from(text, 'base64')));

/**
 * Of a training by `SFTTrainer` with 4 rows a device, 8 steps of accumulation, 1.5 epochs, a warm-up of 0.2, cosine, seed 7, a
 * learning rate of 3e-4, and a hub_token.
 */
export const SFT_ARGUMENTS = unpack(
  'H4sIAAAAAAACA51YaZQcVRXuyTIZmrBkJ0AgYpQBksksyUxCgJEBZoAxlTBZLNFYVle97q5Mbbfeq1mikSCOdCvijgYR9wX3Pe4Lriig8M9z9I/+' +
    '8hzOwR+eo//03vuqepvJoNY5yXS/+959d/nud2/14cmVqwqFnp7ComdzYW1BJbYXemHFspOK3O3ayu6Lp/3xsZ7CvdlzZoWjEr+PN4qkT5aV5URh' +
    '2asUj4wfvU1/gsJ190PXaVjRaxZRcZSqOFWW6yWw0ry4sSB3q8SzKwJWmVfgYiwSyxUzniMsVm6VbOVULemdErB6cpV5Ke4J0yATijhyqhK6J0b/' +
    'pa03L8D/AnvOkkrEEtbc/W98zItw0Rd2wj4lthLQMzE69MT1/ccGbXMdCRNLOlXhpj5er+ZjARegf3Yoy1ESiETmjlqp8nxZPJLvPYpbi1A0u1GH' +
    'E0ncAhcuwNopuMjc0Kl2epaiCRcb5loU4ZcgjTMzL5kYfeosPY+aqykwsfICuHQJC/KcFA/RFoxJYtiBkEVYZ16IB23XDmYtFSVOFdYvwIYp2KhD' +
    'T7v5IGzKrhdepYrJEI49D5sn8uTzbtJilYSyB2DLxOgLT9PzTLtkEC6bGH3xn8/+cfODN7A+lqArnh+FsHXiljvmH/5L/0M3mhsbtyu8XigriCga' +
    'Ei43ON2VxHY9ESrLdpw0SH1beVGYReWKyR5zG+meEQkCBP2aFqHEnUkkZQYSCVfWOL2Uc1JmhRgv2DYx+vfMo82UB7skfEsGUaSqFMKy7WCQ4Kqm' +
    '31gMhVJ5YBiurvPncoyft9cZp7RulVPft8SM7cPL9CrtaFm9Rp9T5aFBeLlhXkZ2O8qb0Q4hCJzpOPJChdfDjpp59TLyHCmvMNj4RojalbyyxsFZ' +
    'WpqruNbg4DAisECD2PMF9NbNTZ2LWGYORteF6wxz/SIhJk3A9QYXXyqF5XsVArRIQuHDDXWN9Za1jAtgp8H1SEccGw2EXXpvKMoqDQXmykOR7cdV' +
    'G/oMc0vjYhHEal6fycCw22As2amKrLIXuq280F9ny/yoUiHfpaISr8zDwHI1fFeoRIKZO5LtLsIgF5++bmgB9kzBXs0cDb0kGZ4scoTy1bKXSMUy' +
    'GGnYYWFOBVqPHmLk9tU0CrMToR1aXljGkz6aAPt1Ir3Q8VMXY4Lk5oXElBnepRAh3GiuoLhFcIAjSlf4Ygajf5O5hljTltKbEXCzZrNcaiUi9j3H' +
    'hlt416xmQBjlknU9aZcwuQrcAF5VZ724P0roZrj1BIyZ1B6SNESLAwG3GfqqJDopHAW3M+NUU/YJC0rAHew9htOZ9iJLxrhmeS6MG2xUvl5KEWiK' +
    'BBNZxvMDCmvBaZ67U2OXqquZ0ruqg9UDC3D3FEwyI2VSSsyrjeaKK3zktYOTBfPy9p7C0hboGMgxG9kr4XoO16JP7BKF/jwcqjctYFayEwWH65xM' +
    'fU1ESHdspVUiG91Ta0oJ9hVbVfH2qMQxm6qzxyxdgvCOGFwdORIQt1YgsDs6Eo6egGMMO207a8hlx+vmJQRc5Em2m8vVh9do63m5ET9z2baGW5vl' +
    '8NoqFsG9U/A6Dmumhsx8/cF/dHFKsxtbkH5CVwALVKTQSB/blII3GEw5ImTEnfRa6QqsOkMpTmUVD1nVtARv1HDEj7oKwNbfy1gNTiIUlPgekscJ' +
    'kaggqEfg6O5G6xwEwpHbXGuEQSwXhjvTUjMK5QxUIpm3yC2oLEB1CjwOOem0/Vl7XlpkPZysN65KEG8SUwvTRlb82JtKQqrMMMQM0a2vuVinkjPe' +
    '3AOBrpxKItCYxPIk9V6ijFBTsVfBZicsms8sOe3FENXNa7mKpSKBY/s+8TqXlpBWOYmC1sDHOlvcxFyBigOcMGQAoHsZEo8LyeQaDr2+hFak5gEm' +
    '9TgFVWNcIpwFTjk2Xpyzf7p0kGOVxfnW5pF8YpzBiXH2NMz1augieTVLa15bi7QVcw3k66d0fjFFYWPtTTWuarKRbGbUSTuI8Tp4c433hwjckh8h' +
    '9SAjnq6bV553Gsl66VuMtMSuxnaCgRU+hip39T7dnShIlGjimySKLd+WCs5owmiREcXPRgn2Sgn3I0dtahfHONgGIoiSeXhrnXtDqxAPeViHaGSu' +
    '4oE6s1zrpkSUBcUoG3TeZpjXtO9A55SHVI4TlKSehH4oMadgQVNQy040JkrwA7y9xoYmaBlWdxpicF0856dBKOHBGtewHrSoXUioNegdVXDw25pz' +
    'nYdmBIgbBfAO3VJFWFHVTKduOu/kXVoAD2k/3VhPAJkJlI6A0CvhXbpgaEfWZhw7toISPKz5hwUJ+uVgYnBLuUyn3q2riYRZD0IcxFV4j8E+8aFs' +
    'OnpvcwlnWoFvMPC+gz1r9Mgo3RjerzfQ5xwbH9BDkCuQO2MqoA8aPGi4opRW4JET8CEOORVwlvYGs3+4xi0Y2wxHEc7WufTwO8+cj9aZnPBr1r7g' +
    'IxprSABpIBbV+2O6QyLokZgx8tPwUf1+REHL+DLEissA/3jeuFMMFqUdWdYhlv9YndGeoPsIEDud0z3TiUQZPq7nR6eKBKdwjPOJm7Fgq/AJLSFo' +
    'SUHCOYV5FL4Ln9SjM+HvUzxb53syQz6dJShbpfIh6MJndGRFJLMu8VntIL0LZJD53OQZZmp0gvo0lTMPs5/njdOYk6ytP6F7aBUx4WtKxavgC/Vs' +
    'vNI08UVNQdnXJpa/ZK7k9wQXvszcEtuuy7NhIgR8pZ6xhkvdTRceXhGV4as5c2E68iu+ppmEJm9fsL3c0inA8HVdnDTrodHIAE3RN+rZXIh54PfX' +
    'b7JJoe/Dtxj6LS8bEbqINUC3fVsf07ZRBL9jcBwCb44qKxGObmLnqgd0ZeHFiVfCvLu6qcB3nQbziz5eKh7GeHo0WNMX+B5S+vdPww96OcncMn5Y' +
    '46jmRfUjg4tcT2jwY4dfAYr6axF+wo7QsZ8uwM+m4MnqI41G0LCFXf55qyncYvoojw6ysMR35Nub+/Vr+y94pjYOwS8X4FdT8GvuOTm4BJ2B30x2' +
    '8Wq2guXhijl4Cjl7Q6OQ2mW/RRmdwK43jfyPqMP3f/hdHXsHOWmFVgVdeRp3EdCxO6k0brzLPlNtevvsAvx+Cv6gOzTRSeynOGrrt/jnsorIOSUT' +
    'wvPYo/oOT67puenck2cfw4zRv8Pn/a1nW2Frx289fdStsXRnqM1E4fjYpsZPPm3PAF1y7sU/PdCFaujf+S/ZXhjovITGE3qjt/GlMQywl42P7Vr6' +
    'nvM9w3vIgNFZ+BvlcMWyBmwp7O8woDSvBDe18bG9/9u9+YODifIF2bBw81+3Uma7l7VhU2Gkw4ZGhIf+HwuGinT3c49Xjr20/zsKOzsTQHWxW4oE' +
    'y9Q7pVnBc8fHev9rU/oH9/fv2zO8b3hkZGR4cP/g0ED/nv7+/n0j+/uHB0YGB4f27h0a2js4QlbuOf7nY71oRy9b2UXGNuxsxenmRZYv/Ttkp45W' +
    'GG5rO//CusLy+O5U1Qqo7W2q7llfeEkUd2prhcaWNm3PL9LWgGSnktYcb2pTcnxDYWlMdapoTcCOdjsWqVgaGocnu7t3ZmeuWrmrcb674++5Lv13' +
    'bqP+i+eI6Qu7s9xqpljdrc9083699z/AtYMekRYAAA==',
);

/** `torch.save(GKDConfig('outputs/gkd', use_cpu=True, bf16=False, beta=0.25), path)`: it inherits SFTConfig. */
export const GKD_ARGUMENTS = unpack(
  'H4sIAAAAAAACA6VYaZQcVRXuSWAydBIgKyRsiiJhm8xMhkmGCAMBZoAxxTgslmAsq6ted1e6tlvv1SxgMIgj3YqoKO7ijvuKiPu+oQHBnXP84ZFf' +
    'nuM5qIej/tN773vV3bMkerDPSab73ffe3b773Vs1Nbn6uFKpr6+07LOutLVUa/g7fVe5/WkjHN+3sXTLss/hVZ7Kwn4xl4osiESs3LAfT9E/x0vi' +
    'alArT0xedaX+BqXz7oSeQ7Bqh11GDUmu0lw5fpDBantte0HuxMNwnH0aruCtji9mAk84KnOD2Km4yqs7MrhNwPGTffbJuCfOIyMUaeLVJfROXG78' +
    'sU/A/yJ3zpFKpBLWXPdv/NjrcTEUbhYHcc3JXCWgb+KyZ//1cPPp+t/sDSTMHOnVhZ+HqF7NpwJOQC/dWFaTLBKZ7Gd1KMtVEMryDcXeG3FrGcp2' +
    'L92BG9wM1i7AumlYb29aem1j1s1qEk607HUowh9RnhozT5os2cdTOFIVRHDyCqrJcDpevp62YDAyy42ELMMGtt/13WjWUUmGoarmUviwcQE2TcNm' +
    'HXY6w8dhi9EuglodEyE8dx62ThQI4N10l1MRyh2EUybG/nKEPo8tlgzBqRNjz/zz8ae23n0B38cS9CQIkxi2TVx29fy9fxq45xJ7c1u7QvVCOVFC' +
    'wZCw3eJs1zLXDxBDjut5eZSHrgqS2ATltMke+wy6e0Zkbg3hkDRELHFnlkhpMCLh9CZnl1JOlzkxRg3OmBj7q/FoK6XBrYjQkVGSqDoFsup6GCo4' +
    's+M3VkSpUh0cgbNa/L2a4vfntewTzToGNQwdMeOG8Hy9Sju6Vs/W51R11xC8wLJPJbs9FcxohxADXiNNglihenhh0z7rGPICKOdYbHw7RIsveVGT' +
    'g7OytLjiXIuDo3HhJVEahAJ2tOwtSxexyjyMrg/nWfbGZUJMmoDzLa49BJcTBjXCs8hiEcIFLQ31rjXDA3ChxeVIRzwXDYSL9N5YVFUeC8xVgCI3' +
    'TOsu9Fv2KW3FIkrVvD5jwLDTYiy5uUqcahD73bQw0GLLwqRWI9+logqvzcPgsUr42liJDDN3g9ldhiEuQa1u1wIMT8PFmjja95JkZLLMESpWq0Em' +
    'Fctgd9sOB3Mq0Hr0ECO3p6lRaE7EbuwEcRVPhmgCjOpEBrEX5j7GBLktiIklDd6lEDFcYq+iuCWwlyNKKkIxg9F/sb2GSNOVMpgRcKkms0LqZCIN' +
    'A8+Fy3jXrCZAGOOS9QPpVjC5CvwILm/xvbg/yUgzXHEA9tnEqVkeo8WRgCstrSpLDgpPwVXM3/WcfcKCEnA1e4/h9BpB4sgU15zAh3GLjSrWKzkC' +
    'TZFgwmS8OKCwFrzOuWs0dqm6Oim9tj5U37sA103DJDOSkVJiXmJ1VnwRIq/tR1bdvrilsLQLOhZ2lM3slfADj2sxJHZJ4nAerm91LGBWcjMFUy1O' +
    'plaTENI9V+krkY1e2uxICfY1V9VRe1LhmE232GOWrkB4N1hcHQUSELdOJFQWeBJuPAA3Mey07XxDIbu5ZZ9EwEWeZLu5XEN4mbael9vxs4/Z1XBr' +
    'pxxeXsciuGUabuWwmmvIzFfsf7aHU2o0diH9gK4AFqgEJwOkiihQ8EqLKUfEjLiDQTddgdNiKKW5rOMhp55X4FUajvhVVwG4mnxoIc2INQVhO4GK' +
    'bme0zl4TcLzOWttv/1h+X5NXOm4LgyKRzTvkB1QXoDYNdY4x3emGs+68dMhcCFptVRkCTGIu4aBlqh2bUUVIZQxDkBC/NjT56txxijt7INSlUssE' +
    'GpM5gaRmSxwRafeDGnY34dB85shGkELcss/lspWKBJ4bhkTkXEtCOtUsibojnej0cNfyBV4c4WAhI0h180Km8QEmz+fYayW0kunCZxZPc5BNBiLi' +
    'V+BU46Ligu7VykFOlYnzFZ0jxXiY43g4cwhmd2isIlt1amlOW4s8lTLoi/V5nV9MUdxeu63JZUw2ks0MM+lGKaqD25u8P0akVsIEuQYp8NUt+/Sj' +
    'jh+meR6y8gq7mroZBlaEGKrC1Tt0O6IgUaKJYLIkdUJXKniNZoguGXH6bJJhc5RwGElpy2JxioNsJKIkm4c7W9wMuoV4KMDCQyOLK17bYlrr3pSJ' +
    'qqAYmcnmLss+e/EOdE4FyN04MklqQuiHEnMKXqc5p2snGpNk+AUWmmxohpZhOecxjZV4LsyjWMLrm1y0erKi/iDh7jaf4xUc/EXduMlDMgLETyJo' +
    '6R4q4pqqmzt1l3mDHqVZAG/UfvqpbvnGBEpHROiVcI8uGNph+ornpk5UgTdpwmFBhn55mBjcUq3SqXt1NZHQNB3EQVqHN1vsEx8y49BbOks4xAp8' +
    'XIG37u9bo2dE6adwn95A3wtsvE1PPb5AskypgN5u8WThi0peg/sPwDs45FTAJu1tKn9nk3su9hWOIryrxaWHv3nIfHeLyQl/mn4F79FYQwLII7Gs' +
    '3t+rWyKCHpkYI9+A9+nnIQqa4csYK84A/v1Fp84xWJR2ZFmPaP2BFqM9Q/cRIG4+p5ukl4gqfEAPjF4dCU7h3BYSN2PB1uGDWkLQkoKEcwrzKEIf' +
    'PqRnZcLfh3mYLvYYQz5iEmRWqXwIuvBRHVmRSNMWPqYdpOHfQObB/aXjmKrRC+rMVM88vn6cdzYwKaaRf0J3zTqCItScirrgky0zUGme+JTmIPOz' +
    'A+ZP26v5ycCHzzC5pK7v8zSYCQGfbRna8Kmf6cpDFUkVPldQF+ajUPF5TSU0a4eC7eUmThGGL+jqpOkOjUYK6Ii+2DKTICaCH1i/xCbFYQgPMfa7' +
    'Hi8SdBGLgLR9WR/TtlEIH9YAptQRNeeZgK90nvoIt2FU8V14ZGLsj90PS/gUCF+dGHvCrJ1o0hCLWTO4wtcmD3P9KpoPiIIYcFTlSDAaIl+37G3L' +
    'dnRD8hsWZ6mYVYlkqQa/qclECnAaPnxLD0BRMEfskAlPN+Jv1/dqdsDYZUEFsevrxgjf8drdS/TzUnkKIRHQ0wD9gO9iW/reIfj+DvaV294PmgyM' +
    'ghh+aLEFeqyEH3n83FLWP8vwY84FHfvJAvx0Gh6t399uZm1bOGs/6zaF22Q/QdHDTiLx8f6qzn79quHn/CBgXQ9HFuCxaXic+2ZRIILOwC/wuXm9' +
    'ntRpBePpizl4AvvOpjYZLJY9iTI6gZ27gT0MC6eOtPXLFvY/ctKJnRq68qtJnWbssCpP2w/gv653vP3NAvx2Gn6npwyixDTM8flAv3r4vanqgheN' +
    'EJ7CPts/Nbmm79azdh65GSuH/k0d9S3VptJ5/Jaqn+YMJJ0ZapBJPL7vnBVeVq3wGSRVjzzzh7t68DL6d3RVW0t7tSoar+gVhItPuTG98xrft/t/' +
    '07b8MzJMBozNwp8pk6uOacD60pVsQGVeCW7K4/vGnqve4oMjlgoF2bBw6dPbKL+9x7RhbekKtqEd50v/Pwt2lUn3kw/Ubvrv/m8vjegEUE3slCLD' +
    'Eg1u06QW+OP7hp6DKQNDowN7hkf2jOzevXtkaHRo1+DA8MDA4MDFw4Mju0cv3jM4OrxrdHR4iKz8x98fvWMH2rGDrewhY9t2dqN13TLLu9+jLj3Z' +
    'Db5Ni049uLG0EraXXtANnq2LLtiwqXQUxC69ozv56xfdcZ+5ow26pUe7c7d2ccFsLnVjZenB7nBuX6zTHFw50VOTvb0Xmp1nrr6ofap3yd/be/Tf' +
    'PVv0XzxHnF16yARJV/vxvfpML+/Xe/8DSM0hWhUXAAA=',
);

/** A pickle in a zip file as `torch.save` makes it: stored, with a list at its end. */
export function toTorchFile(pickle: string | Uint8Array, method = 0): Uint8Array {
  const given = typeof pickle === 'string' ? Buffer.from(pickle, 'latin1') : pickle;
  const data = method === 0 ? Buffer.from(given) : gzipSync(given);
  const name = Buffer.from('training_args/data.pkl');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(data.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Uint8Array.from(Buffer.concat([local, name, data, entry, name, end]));
}
